import type { Pod } from '@trainjob/api'
import type { LogOptions } from '@trainjob/kube'

/**
 * Where the API server finds what a container printed; the node agent provides it.
 *
 * The server has checked the request before it opens a log: the pod is bound to a node, the container exists, and the
 * pod's status says that it has started (or, with `previous`, that an earlier attempt ended).
 */
export interface LogSource {
  /**
   * Bytes as the container wrote them, or each line with an RFC 3339 time in front when `timestamps` is set. Ends when
   * everything was read; with `follow`, when the container ends or `options.signal` aborts.
   */
  open(pod: Pod, container: string, options: LogOptions): AsyncIterable<Uint8Array>
}

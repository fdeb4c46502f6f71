import type { Transport } from '@trainjob/kube'

/** The API server of an embedded cluster. */
export interface ApiServer {
  /** Requests in process: no sockets, no text. */
  readonly transport: Transport
}

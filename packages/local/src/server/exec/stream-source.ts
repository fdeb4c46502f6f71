import type { Duplex } from 'node:stream'
import type { Pod } from '@trainjob/api'
import type { TerminalSize } from './terminal-link.ts'

/** The two ways of a command or a container, as its user sees them. */
export interface Streams {
  /** What the user sends; left out when nothing will come. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  /** What the user is shown. The chunk is the callee's; while a promise is pending, the user cannot take more. */
  onOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): void | Promise<void>
  /** The user looks on through a terminal, of these sizes in turn; left out when not. Then all output is `stdout`. */
  readonly terminal?: AsyncIterable<TerminalSize> | undefined
  /** The user has gone. */
  readonly signal: AbortSignal
}

/** How a command ended, or why it could not run. */
export type StreamEnd = { readonly code: number } | { readonly failure: string }

/**
 * Where the API server finds running containers; the node agent provides it. The server has checked that the pod is
 * bound to a node and has the container.
 */
export interface StreamSource {
  /** Runs a command inside of a container. Never rejects. */
  exec(pod: Pod, container: string, command: readonly [string, ...string[]], streams: Streams): Promise<StreamEnd>
  /** Looks on until the container ends. Never rejects. */
  attach(pod: Pod, container: string, streams: Streams): Promise<StreamEnd>
  /** A connection to a port of the pod. Rejects when nobody listens there. */
  connect(pod: Pod, port: number, signal: AbortSignal): Promise<Duplex>
}

import type { Pod } from '@trainjob/api'
import type { StreamEnd, StreamSource, Streams } from './stream-source.ts'

/** A command in a container, or a container to look at. */
export interface OpenedTerminal {
  readonly kind: 'exec' | 'attach'
  /** Which streams the user wants. */
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
  run(streams: Streams): Promise<StreamEnd>
}

/** Ports of a pod that the user wants to reach. */
export interface OpenedPorts {
  readonly kind: 'portforward'
  readonly pod: Pod
  readonly ports: readonly number[]
  connect(port: number, signal: AbortSignal): ReturnType<StreamSource['connect']>
}

/** What a connection that is upgraded is about. */
export type OpenedStream = OpenedTerminal | OpenedPorts

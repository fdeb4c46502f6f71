import type { TerminalSize } from '../server/exec/terminal-link.ts'
import type { Limits } from './limits/limit-groups.ts'

/** What a runner needs to know to start one attempt of a container. Nothing in it is Kubernetes any more. */
export interface ContainerSpec {
  /** Unique among all attempts of all containers; marks the processes that belong to it. */
  readonly id: string
  /** Program and arguments; empty only where an image brings them. */
  readonly argv: readonly string[]
  /** Absolute folder of this machine or, with an image, of that. Left out: the image's own. */
  readonly cwd?: string | undefined
  /** The whole environment; on top of the image's own where there is one. */
  readonly env: Readonly<Record<string, string>>
  /** Folders and files that must appear at absolute paths. Empty where paths are rewritten instead. */
  readonly mounts: readonly Mount[]
  /** Only for runners that use images. */
  readonly image?: ContainerImage | undefined
  /** More memory than its limit ends the container; more CPU it does not get. */
  readonly limits?: Limits | undefined
  /** Keeps the standard input open for `input`; it is empty otherwise. */
  readonly stdin?: boolean | undefined
  /** At a terminal of its own where one can be made; then all output is `stdout`. */
  readonly tty?: boolean | undefined
  /** Called with what the container prints, in order per stream, before `exit` resolves. The chunk is the callee's. */
  onOutput(stream: OutputStream, chunk: Buffer): void
}

export type OutputStream = 'stdout' | 'stderr'

/** `source`, a folder or file of this machine, at the absolute path `target`. */
export interface Mount {
  readonly source: string
  readonly target: string
  readonly readOnly?: boolean
}

/** What an image contributes to a container. */
export interface ContainerImage {
  readonly name: string
  /** Kubernetes' `imagePullPolicy`. */
  readonly pull: 'Always' | 'IfNotPresent' | 'Never'
  /** The program in `argv` replaces the image's entrypoint; otherwise `argv` are arguments for that. */
  readonly replacesEntrypoint: boolean
}

/** How a container ended. */
export interface ContainerExit {
  /** 0–255; 128 + number for a signal. */
  readonly code: number
  /** Number of the signal that ended the first process, where that is known. */
  readonly signal?: number
  /** Set when nothing ran: what was expected, found, and what to do. */
  readonly startFailure?: string
  /** It was ended because it used more memory than its limit. */
  readonly oomKilled?: true
}

/** A command inside of a running container. */
export interface ExecSpec {
  readonly argv: readonly [string, ...string[]]
  /** Its standard input; empty when left out. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  /** A user's terminal, of these sizes in turn: the command gets one of its own, or the little of it that pipes permit. */
  readonly terminal?: AsyncIterable<TerminalSize> | undefined
  /** As for a container. While a promise is pending, no more is read of that stream. */
  onOutput(stream: OutputStream, chunk: Buffer): void | Promise<void>
  /** Kills the command. */
  readonly signal: AbortSignal
}

/** One attempt of a container. */
export interface RunningContainer {
  /** Of the first process; left out when the start failed or the process lives elsewhere. */
  readonly pid?: number
  /** Whether the first process has started. Resolves before `exit`, never rejects. */
  readonly started: Promise<boolean>
  /** Resolves once, when the first process is gone and its output was handed over. Never rejects. */
  readonly exit: Promise<ContainerExit>
  /** Runs a command beside the first process: same files, environment and folder. It ends with the container. Never rejects. */
  exec(spec: ExecSpec): Promise<ContainerExit>
  /** Writes to the standard input of a container that was started with one; `undefined` ends it. */
  input(chunk: Uint8Array | undefined): void
  /** It has a terminal. */
  readonly atTerminal: boolean
  /** Changes the size of its terminal where it has one. */
  resize(size: TerminalSize): void
  /** Asks every process of the container to end (SIGTERM). */
  terminate(): void
  /** Ends every process of the container, those that left its process group too (SIGKILL). */
  kill(): void
}

/** Runs containers: as processes of this machine, or through a container engine. */
export interface Runner {
  /** Never throws: a container that cannot start has a `startFailure` in its exit. */
  start(spec: ContainerSpec): RunningContainer
  /** Kills what is left of every container, and waits until it is gone. */
  close(): Promise<void>
}

/** What a runner needs to know to start one attempt of a container. Nothing in it is Kubernetes any more. */
export interface ContainerSpec {
  /** Unique among all attempts of all containers; marks the processes that belong to it. */
  readonly id: string
  /** Program and arguments, never empty. */
  readonly argv: readonly [string, ...string[]]
  /** Absolute folder of this machine. */
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Folders and files that must appear at absolute paths. Empty where paths are rewritten instead. */
  readonly mounts: readonly Mount[]
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

/** How a container ended. */
export interface ContainerExit {
  /** 0–255; 128 + number for a signal. */
  readonly code: number
  /** Set when nothing ran: what was expected, found, and what to do. */
  readonly startFailure?: string
}

/** One attempt of a container. */
export interface RunningContainer {
  /** Of the first process; left out when the start failed or the process lives elsewhere. */
  readonly pid?: number
  /** Resolves once, when the first process is gone and its output was handed over. Never rejects. */
  readonly exit: Promise<ContainerExit>
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

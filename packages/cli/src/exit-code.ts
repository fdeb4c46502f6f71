/**
 * What the process ends with. 0 and 1 are kubectl's; the others let a script tell why without reading the text.
 * Listed for users in every command's help where it matters.
 */
export const ExitCode = {
  ok: 0,
  /** The job failed, the document is not valid, or the server refused. */
  failed: 1,
  /** A flag, an argument or an input file is wrong: nothing was started. */
  usage: 2,
  /** `wait` ran out of time. */
  timedOut: 3,
  /** `wait` and `logs -f` only, where 1 means that the job failed: the cluster gave no usable answer. */
  cluster: 4,
  /** Ctrl-C. */
  interrupted: 130,
  /** The reader of stdout went away, as in `trainjob get | head`. */
  brokenPipe: 141,
  /** SIGTERM. */
  terminated: 143,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

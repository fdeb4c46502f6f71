import type { CommandIO } from './command-io.ts'
import type { ExitCode } from './exit-code.ts'

/**
 * What was typed, read by the flag table of the command's help: `--no-headers` is `headers: false`,
 * a repeatable flag is a list, a plain switch is `true` or absent.
 */
export interface Invocation<Flags> {
  readonly flags: Flags
  /** What is not a flag, in order. */
  readonly args: readonly string[]
  /** What stands behind `--`; absent when there is no `--`. */
  readonly rest?: readonly string[]
}

/** A command's work. Rejects with an error for the user; see `reportError`. */
export type Execute<Flags> = (invocation: Invocation<Flags>, io: CommandIO) => Promise<ExitCode>

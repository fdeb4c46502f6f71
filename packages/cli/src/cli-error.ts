import type { Issue } from '@trainjob/api'
import { ExitCode } from './exit-code.ts'

/** Why a command stopped before or while doing its work. */
export const CLI_ERROR_CODES = [
  /** Unknown command or flag, missing or malformed argument. */
  'usage',
  /** A file cannot be read, or what it says is not valid. */
  'input',
  /** No such object, run or cluster. */
  'not-found',
  /** The server said no. */
  'refused',
  /** No server answered. */
  'unreachable',
  /** The time given with --timeout is over. */
  'timeout',
  /** Not possible in this state: a port is taken, a cluster of that name runs already. */
  'conflict',
] as const
export type CliErrorCode = (typeof CLI_ERROR_CODES)[number]

/** The only error that a command throws on purpose; its message is for the user and says what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: CliErrorCode
  readonly exitCode: ExitCode
  /** What is wrong with which line of the input, when that is the reason. */
  readonly issues: readonly Issue[]

  constructor(
    code: CliErrorCode,
    message: string,
    options: ErrorOptions & { issues?: readonly Issue[]; exitCode?: ExitCode } = {},
  ) {
    super(message, options)
    this.code = code
    this.issues = options.issues ?? []
    this.exitCode = options.exitCode ?? (code === 'usage' || code === 'input' ? ExitCode.usage : ExitCode.failed)
  }
}

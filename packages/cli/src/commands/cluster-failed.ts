import type { CommandIO } from '../command-io.ts'
import { ExitCode } from '../exit-code.ts'
import { reportError } from '../report-error.ts'

/** Reports a failed request of a command whose exit code 1 says that the job failed. Wrong usage stays what it is. */
export function clusterFailed(error: unknown, io: CommandIO): ExitCode {
  const exitCode = reportError(error, io, false)
  return exitCode === ExitCode.usage ? exitCode : ExitCode.cluster
}

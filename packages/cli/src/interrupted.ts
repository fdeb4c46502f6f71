import { ExitCode } from './exit-code.ts'

/** The exit code of a command that a signal ended: the reason of the abort is the name of the signal. */
export function interrupted(signal: AbortSignal): ExitCode {
  if (signal.reason === 'SIGTERM') return ExitCode.terminated
  return signal.reason === 'EPIPE' ? ExitCode.brokenPipe : ExitCode.interrupted
}

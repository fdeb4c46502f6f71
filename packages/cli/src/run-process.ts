import { systemClock } from '@trainjob/kube/clock'
import type { CommandIO, Output } from './command-io.ts'
import { ExitCode } from './exit-code.ts'
import { main } from './program.ts'

/**
 * Runs a command line as this process. The first Ctrl-C or SIGTERM asks the command to stop, the second ends the
 * process at once; what it started is then ended by the watchdog of the embedded cluster.
 */
export async function runProcess(argv: readonly string[], program: string, process: NodeJS.Process): Promise<ExitCode> {
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) process.exit(signal === 'SIGTERM' ? ExitCode.terminated : ExitCode.interrupted)
    stopping.abort(signal)
  }
  const brokenPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') stopping.abort('EPIPE')
  }
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  process.stdout.on('error', brokenPipe)
  process.stderr.on('error', brokenPipe)
  const io: CommandIO = {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    stdin: () => process.stdin,
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    randomHex,
    signal: stopping.signal,
    program,
  }
  try {
    return await main(argv, io)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop)
  }
}

/** By the global object: importing node:crypto takes longer than all else that a short command does. */
function randomHex(digits: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)))
  return Buffer.from(bytes).toString('hex').slice(0, digits)
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => {
      stream.write(text)
    },
    isTTY: stream.isTTY === true,
    // 0 on terminals that do not know it
    columns: () => stream.columns || 80,
  }
}

import type { CommandIO } from './command-io.ts'
import { loadCommand } from './commands/registry.ts'
import type { ExitCode } from './exit-code.ts'
import { answerHelp } from './help/answer.ts'
import { interrupted } from './interrupted.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { reportError } from './report-error.ts'

/**
 * Runs one command line (without `node` and the script's name) to its end and answers the exit code. Never rejects:
 * what goes wrong is told on `io.stderr`, and as JSON on `io.stdout` where that was asked for.
 *
 * @example
 * import { systemClock } from '@trainjob/kube'
 *
 * const written: string[] = []
 * const output: Output = { write: (text) => written.push(String(text)), isTTY: false, columns: () => 80 }
 * const io: CommandIO = {
 *   stdout: output,
 *   stderr: output,
 *   stdin: async function* () {},
 *   env: {},
 *   cwd: '/',
 *   clock: systemClock,
 *   randomHex: (digits) => 'a'.repeat(digits),
 *   signal: new AbortController().signal,
 *   program: 'trainjob',
 * }
 * await main(['version', '--help'], io) // => 0
 * written.join('').includes('trainjob version') // => true
 */
export async function main(argv: readonly string[], io: CommandIO): Promise<ExitCode> {
  const help = answerHelp(argv, io.program)
  if (help !== undefined) {
    io.stdout.write(help.stdout)
    io.stderr.write(help.stderr)
    return help.exitCode
  }
  try {
    const { help, invocation } = parseCommandLine(argv, io.program)
    const execute = await loadCommand(help.name)
    return await execute(invocation, io)
  } catch (error) {
    if (io.signal.aborted) return interrupted(io.signal)
    return reportError(error, io, wantsJson(argv))
  }
}

/** Also for command lines that cannot be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  const dashes = argv.indexOf('--')
  const own = dashes === -1 ? argv : argv.slice(0, dashes)
  return /(^| )(-o[ =]?|--output[ =])json( |$)/.test(own.join(' '))
}

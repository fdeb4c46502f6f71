import { basename } from 'node:path'
import { answerHelp } from './help/answer.ts'

/**
 * Answers `--version` and every `--help` at once and loads the program for all else. Sets the exit code and lets the
 * process end by itself, so that no output is lost.
 */
export async function launch(process: NodeJS.Process): Promise<void> {
  const argv = process.argv.slice(2)
  const program = programName(process)
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { version } = await import('./version.ts')
    process.stdout.write(`${version}\n`)
    return
  }
  if (argv[0] === 'local' && argv[1] === 'serve') {
    // not for users: the process that "local up" leaves in the background
    const { serveProcess } = await import('@trainjob/local/daemon/process')
    process.exit(await serveProcess(argv.slice(2)))
  }
  const help = answerHelp(argv, program)
  if (help !== undefined) {
    process.stdout.write(help.stdout)
    process.stderr.write(help.stderr)
    process.exitCode = help.exitCode
    return
  }
  const { runProcess } = await import('./run-process.ts')
  process.exitCode = await runProcess(argv, program, process)
}

/** kubectl starts its plugin `kubectl-trainjob` for `kubectl trainjob`. */
function programName(process: NodeJS.Process): string {
  return basename(process.argv[1] ?? '').startsWith('kubectl-') ? 'kubectl trainjob' : 'trainjob'
}

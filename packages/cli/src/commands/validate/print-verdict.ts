import type { Issue } from '@trainjob/api'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import { painter } from '../../output/color.ts'
import { issueLine } from '../../output/issue-line.ts'

/** What `validate -o json` and `lint -o json` print. */
export interface Verdict {
  /** Whether Kubeflow Trainer would accept it all. */
  readonly valid: boolean
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
}

/** Prints a verdict on so many objects; the exit code says whether they are valid. */
export function printVerdict(
  verdict: Verdict,
  count: number,
  output: 'text' | 'json' | undefined,
  io: CommandIO,
): ExitCode {
  if (output === 'json') io.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  else io.stdout.write(text(verdict, count, io))
  return verdict.valid ? ExitCode.ok : ExitCode.failed
}

function text({ valid, errors, warnings }: Verdict, count: number, io: CommandIO): string {
  const paint = painter(io.stdout, io.env)
  const lines = [
    ...errors.map((issue) => `${paint('red', 'error')}    ${issueLine(issue)}`),
    ...warnings.map((issue) => `${paint('yellow', 'warning')}  ${issueLine(issue)}`),
  ]
  const objects = count === 1 ? '1 object' : `${count} objects`
  const found = [plural(errors.length, 'error'), plural(warnings.length, 'warning')].filter((part) => part !== '')
  lines.push(
    valid
      ? `${paint('green', 'valid')}: ${[objects, ...found].join(', ')}`
      : `${paint('red', 'not valid')}: ${found.join(', ')}`,
  )
  return `${lines.join('\n')}\n`
}

function plural(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`
}

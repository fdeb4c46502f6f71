import type { Issue } from '@trainjob/api'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import { readManifests } from '../../input/manifests.ts'
import { type FileFlags, readFiles } from '../../input/read-files.ts'
import { painter } from '../../output/color.ts'
import { issueLine } from '../../output/issue-line.ts'

export interface ValidateFlags extends FileFlags {
  readonly old?: string
  readonly output?: 'text' | 'json'
  readonly namespace?: string
}

/** What `validate -o json` prints. */
export interface Verdict {
  /** Whether Kubeflow Trainer would accept it all. */
  readonly valid: boolean
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
}

/** Checks files without a cluster, see `validateHelp`. */
export async function validate({ flags, args }: Invocation<ValidateFlags>, io: CommandIO): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `"${args[0]}" stands alone; did you mean -f ${args[0]}?`)
  const texts = await readFiles(flags, io)
  const old = flags.old === undefined ? undefined : await readFiles({ filename: [flags.old] }, io)
  const { jobs, others, errors, warnings } = readManifests(texts, {
    namespace: flags.namespace ?? 'default',
    ...(old === undefined ? {} : { old }),
  })
  const verdict: Verdict = { valid: errors.length === 0, errors, warnings }
  if (flags.output === 'json') io.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  else io.stdout.write(text(verdict, jobs.length + others.length, io))
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

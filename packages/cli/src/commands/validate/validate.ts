import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { readManifests } from '../../input/manifests.ts'
import { type FileFlags, readFiles } from '../../input/read-files.ts'
import { printVerdict } from './print-verdict.ts'

export interface ValidateFlags extends FileFlags {
  readonly old?: string
  readonly output?: 'text' | 'json'
  readonly namespace?: string
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
  return printVerdict({ valid: errors.length === 0, errors, warnings }, jobs.length + others.length, flags.output, io)
}

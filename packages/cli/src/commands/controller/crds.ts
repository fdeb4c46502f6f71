import { customResourceDefinitions } from '@trainjob/api/crd'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'

export interface ControllerCrdsFlags {
  readonly output?: 'yaml' | 'json'
  readonly compat?: 'upstream'
}

/** Prints the CustomResourceDefinitions, see `controllerCrdsHelp`. */
export async function controllerCrds(
  { flags, args }: Invocation<ControllerCrdsFlags>,
  io: CommandIO,
): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `expected no argument, found "${args[0]}"`)
  const items = customResourceDefinitions({ dialect: flags.compat !== 'upstream' })
  if (flags.output === 'json') {
    io.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`)
  } else {
    const { toYaml } = await import('../../output/to-yaml.ts')
    io.stdout.write((await Promise.all(items.map(toYaml))).join('---\n'))
  }
  return ExitCode.ok
}

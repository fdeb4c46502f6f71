import type { Issue, KubernetesObject } from '@trainjob/api'
import { RenderError, render as renderJob } from '@trainjob/runtime'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import { identity, type Manifests, readManifests } from '../../input/manifests.ts'
import { type FileFlags, readFiles } from '../../input/read-files.ts'
import { warningLines } from '../../output/warning-lines.ts'

export interface RenderFlags extends FileFlags {
  readonly output?: 'json' | 'yaml'
  readonly namespace?: string
  readonly compat?: 'upstream'
}

/** Prints what the controller would apply, see `renderHelp`. All or nothing: one faulty job and nothing is printed. */
export async function render({ flags, args }: Invocation<RenderFlags>, io: CommandIO): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `"${args[0]}" stands alone; did you mean -f ${args[0]}?`)
  const texts = await readFiles(flags, io)
  const manifests = readManifests(texts, { namespace: flags.namespace ?? 'default' })
  if (manifests.errors.length > 0) throw faulty(manifests.errors)
  const items = renderAll(manifests, flags.compat)
  for (const line of warningLines(manifests.warnings, io.program)) io.stderr.write(`${line}\n`)
  if (manifests.jobs.length === 0) io.stderr.write('warning: there is no TrainJob in the files\n')
  const list = { apiVersion: 'v1', kind: 'List', items }
  if (flags.output === 'json') io.stdout.write(`${JSON.stringify(list, null, 2)}\n`)
  else io.stdout.write(await (await import('../../output/to-yaml.ts')).toYaml(list))
  return ExitCode.ok
}

function renderAll({ jobs, others }: Manifests, compat: 'upstream' | undefined): readonly KubernetesObject[] {
  const facts = { objects: others.map(({ object }) => object) }
  const faults: Issue[] = []
  const items = jobs.flatMap(({ trainJob, runtime, document }) => {
    try {
      return renderJob(trainJob, runtime, { facts, ...(compat === undefined ? {} : { compat }) }).objects
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      const { code, path, message } = error
      const place = document?.file === undefined ? {} : { file: document.file, line: document.positions.lineOf(path) }
      faults.push({ code, path, message, object: identity(trainJob), ...place })
      return []
    }
  })
  if (faults.length > 0) throw faulty(faults)
  return items
}

function faulty(issues: readonly Issue[]): CliError {
  const count = issues.length === 1 ? 'one fault' : `${issues.length} faults`
  return new CliError('input', `${count} in the input, nothing was rendered:`, { issues, exitCode: ExitCode.failed })
}

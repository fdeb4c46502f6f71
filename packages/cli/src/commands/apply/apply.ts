import { isNotFound, type KubeObject, type WriteOptions } from '@trainjob/kube'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type Connection, type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { inApplyOrder } from '../../input/apply-order.ts'
import { refuseFaulty } from '../../input/blocking.ts'
import { readManifests } from '../../input/manifests.ts'
import { type FileFlags, readFiles } from '../../input/read-files.ts'
import { resourceOf } from '../../input/resource-of.ts'
import { warningLines } from '../../output/warning-lines.ts'
import { reportError } from '../../report-error.ts'
import { nameOf } from '../get/kind.ts'
import { printObjects } from '../get/print-objects.ts'

export interface ApplyFlags extends FileFlags, ConnectionFlags {
  readonly dryRun?: 'none' | 'client' | 'server'
  readonly force?: boolean
  readonly forceConflicts?: boolean
  readonly fieldManager?: string
  readonly output?: 'json' | 'yaml' | 'name'
}

/** Creates or changes the objects of files, see `applyHelp`. One that is refused does not keep the others back. */
export async function apply({ flags, args }: Invocation<ApplyFlags>, io: CommandIO): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `"${args[0]}" stands alone; did you mean -f ${args[0]}?`)
  const texts = await readFiles(flags, io)
  return await withConnection(flags, io, async (connection) => {
    const manifests = readManifests(texts, { namespace: connection.namespace, otherRuntimes: true })
    const warnings = refuseFaulty(manifests, { force: flags.force === true })
    for (const line of warningLines(warnings, io.program)) io.stderr.write(`${line}\n`)
    const { jobs, others } = manifests
    const documents = inApplyOrder([
      ...others,
      ...manifests.unplanned,
      ...jobs.map(({ trainJob }) => ({ object: trainJob })),
    ])
    if (documents.length === 0) throw new CliError('input', 'there is no object in the files.')
    const stored: KubeObject[] = []
    const { clusterForm } = await import('@trainjob/sdk/cluster-form')
    const form = clusterForm(connection.kube)
    let exitCode: ExitCode = ExitCode.ok
    for (const { object } of documents) {
      try {
        const sent = flags.dryRun === 'client' ? object : await form.adapt(object, { signal: io.signal })
        stored.push(await applyOne(sent, flags, connection, io))
      } catch (error) {
        if (io.signal.aborted) throw error
        exitCode = reportError(error, io, false)
      }
    }
    if (flags.output === 'json' || flags.output === 'yaml') io.stdout.write(await printStored(stored, flags.output, io))
    return exitCode
  })
}

async function applyOne(
  object: KubeObject,
  flags: ApplyFlags,
  { kube }: Connection,
  io: CommandIO,
): Promise<KubeObject> {
  const resource = resourceOf(object)
  const { name, generateName, namespace } = object.metadata
  const report = (done: string, result: KubeObject): KubeObject => {
    const full = nameOf(resource, result)
    if (flags.output === 'name') io.stdout.write(`${full}\n`)
    else if (flags.output === undefined) io.stdout.write(`${full} ${done}${dryRunNote(flags)}\n`)
    return result
  }
  if (flags.dryRun === 'client') return report('checked', object)
  const options: WriteOptions = {
    signal: io.signal,
    fieldManager: flags.fieldManager ?? 'trainjob',
    dryRun: flags.dryRun === 'server',
    onWarning: (text) => io.stderr.write(`warning: ${text}\n`),
  }
  if (name === undefined && generateName !== undefined)
    return report('created', await kube.create(resource, object, options))
  const key = { name: name ?? '', ...(resource.namespaced && namespace !== undefined ? { namespace } : {}) }
  const before = await kube.get(resource, key, { signal: io.signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const patch = { type: 'apply' as const, body: object, force: flags.forceConflicts === true }
  const after = await kube.patch(resource, key, patch, options)
  if (before === undefined) return report('created', after)
  return report(before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'configured', after)
}

function dryRunNote({ dryRun }: ApplyFlags): string {
  if (dryRun === undefined || dryRun === 'none') return ''
  return dryRun === 'client' ? ' (dry run)' : ' (server dry run)'
}

async function printStored(objects: readonly KubeObject[], kind: 'json' | 'yaml', io: CommandIO): Promise<string> {
  const [first] = objects
  const resource = first === undefined ? resourceOf({ apiVersion: 'v1', kind: 'List' }) : resourceOf(first)
  const options = { headers: true, namespaces: false, labels: false, now: io.clock.now() }
  return await printObjects([{ resource, objects }], { ...options, form: { kind }, single: objects.length === 1 })
}

import { TrainJobs } from '@trainjob/api'
import { isNotFound, type ObjectKey, type Resource } from '@trainjob/kube'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type Connection, type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { inApplyOrder } from '../../input/apply-order.ts'
import { type FileFlags, readFiles } from '../../input/read-files.ts'
import { resourceOf } from '../../input/resource-of.ts'
import { reportError } from '../../report-error.ts'
import { nameOf, readTargets } from '../get/kind.ts'
import { untilGone } from '../until-gone.ts'

export interface DeleteFlags extends FileFlags, ConnectionFlags {
  readonly selector?: string
  readonly all?: boolean
  readonly ignoreNotFound?: boolean
  readonly wait: boolean
  readonly output?: 'name'
}

interface Doomed {
  readonly resource: Resource
  readonly key: ObjectKey
}

/** Deletes objects, by default TrainJobs with all that belongs to them, and waits until they are gone. */
export async function deleteObjects({ flags, args }: Invocation<DeleteFlags>, io: CommandIO): Promise<ExitCode> {
  return await withConnection(flags, io, async (connection) => {
    const doomed = await targets(args, flags, connection, io)
    if (doomed.length === 0) io.stderr.write('No resources found\n')
    let exitCode: ExitCode = ExitCode.ok
    await Promise.all(
      doomed.map(async (one) => {
        try {
          await deleteOne(one, flags, connection, io)
        } catch (error) {
          if (io.signal.aborted) throw error
          if (flags.ignoreNotFound && isNotFound(error)) return
          exitCode = reportError(error, io, false)
        }
      }),
    )
    return exitCode
  })
}

async function targets(
  args: readonly string[],
  flags: DeleteFlags,
  { kube, namespace }: Connection,
  io: CommandIO,
): Promise<readonly Doomed[]> {
  if (flags.filename !== undefined) return await inFiles(flags, namespace, io)
  const chosen = flags.selector !== undefined || flags.all === true
  if (args.length === 0 && !chosen) {
    throw new CliError('usage', 'expected NAME, -f FILE, -l QUERY or --all; see --help.')
  }
  const query = flags.selector === undefined ? {} : { labelSelector: flags.selector }
  const doomed: Doomed[] = []
  for (const { resources, names } of readTargets(args)) {
    if (names.length === 0 && !chosen) {
      throw new CliError('usage', `all ${(resources[0] ?? TrainJobs).plural}? Give names, -l QUERY or --all.`)
    }
    for (const resource of resources) {
      doomed.push(...names.map((name) => doom(resource, name, namespace)))
      if (names.length > 0) continue
      const within = resource.namespaced ? { namespace } : {}
      for await (const { metadata } of kube.listAll(resource, { ...query, ...within, signal: io.signal })) {
        doomed.push(doom(resource, metadata.name ?? '', metadata.namespace ?? namespace))
      }
    }
  }
  return doomed
}

/** In the reverse of the order in which they would be created. */
async function inFiles(flags: FileFlags, namespace: string, io: CommandIO): Promise<readonly Doomed[]> {
  const { readManifests } = await import('@trainjob/api/parse')
  const read = (await readFiles(flags, io)).map(({ file, text }) => readManifests(text, { file }))
  const issues = read.flatMap(({ errors }) => errors)
  if (issues.length > 0) throw new CliError('input', 'nothing was deleted, the input has faults:', { issues })
  return inApplyOrder(read.flatMap(({ documents }) => documents))
    .toReversed()
    .map(({ object }) => doom(resourceOf(object), object.metadata.name ?? '', object.metadata.namespace ?? namespace))
}

function doom(resource: Resource, name: string, namespace: string): Doomed {
  return { resource, key: resource.namespaced ? { namespace, name } : { name } }
}

async function deleteOne(
  { resource, key }: Doomed,
  flags: DeleteFlags,
  { kube }: Connection,
  io: CommandIO,
): Promise<void> {
  const left = await kube.delete(resource, key, { signal: io.signal, propagationPolicy: 'Background' })
  const uid = left?.metadata.uid
  const full = nameOf(resource, { metadata: { name: key.name } })
  if (flags.wait) await untilGone(kube, resource, key, io, uid === undefined ? {} : { uid })
  const [kind = '', name = ''] = full.split('/')
  io.stdout.write(flags.output === 'name' ? `${full}\n` : `${kind} "${name}" deleted\n`)
}

import { createInformer, type KubeObject, type Resource } from '@trainjob/kube'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import { fetchObjects, type Scope, whole } from './fetch-objects.ts'
import type { Targets } from './kind.ts'
import { type ObjectGroup, type PrintOptions, printObjects } from './print-objects.ts'

/** Prints what is there, then each change as a line (or document) of its own, until interrupted. */
export async function watchObjects(
  targets: readonly Targets[],
  scope: Scope,
  options: PrintOptions,
  io: CommandIO,
): Promise<ExitCode> {
  const printed = new Set<Resource>()
  let printing = Promise.resolve()
  const print = (group: ObjectGroup): void => {
    if (group.objects.length === 0) return
    const headers = options.headers && !printed.has(group.resource)
    printed.add(group.resource)
    const now = io.clock.now()
    printing = printing.then(async () => {
      for (const object of group.objects.slice(0, isDocument(options) ? undefined : 1)) {
        const objects = isDocument(options) ? [object] : group.objects
        io.stdout.write(await printObjects([{ ...group, objects }], { ...options, single: true, headers, now }))
      }
    })
  }
  await fetchOrFail(targets, scope)
  await Promise.all(
    targets.flatMap(({ resources, names }) =>
      resources.map(async (resource) => {
        const { kube, namespace, labelSelector, fieldSelector, signal } = scope
        const informer = createInformer({
          client: kube,
          resource,
          clock: io.clock,
          ...(resource.namespaced && namespace !== undefined ? { namespace } : {}),
          ...(labelSelector === undefined ? {} : { labelSelector }),
          ...(fieldSelector === undefined ? {} : { fieldSelector }),
        })
        const wanted = ({ metadata }: KubeObject): boolean => names.length === 0 || names.includes(metadata.name ?? '')
        const running = informer.run(signal)
        await informer.hasSynced()
        print({
          resource,
          objects: informer.store
            .list()
            .filter(wanted)
            .map((object) => whole(object, resource)),
        })
        informer.on((change) => {
          if (change.type === 'added' && change.initial) return
          if (wanted(change.object)) print({ resource, objects: [whole(change.object, resource)] })
        })
        await running
      }),
    ),
  )
  await printing
  return ExitCode.interrupted
}

/** A watch retries for ever; a server that is not there, or an object that is not, should be said at once. */
async function fetchOrFail(targets: readonly Targets[], scope: Scope): Promise<void> {
  const { errors } = await fetchObjects(targets, scope)
  if (errors.length > 0) throw errors[0]
}

function isDocument({ form }: PrintOptions): boolean {
  return form.kind === 'json' || form.kind === 'yaml' || form.kind === 'jsonpath'
}

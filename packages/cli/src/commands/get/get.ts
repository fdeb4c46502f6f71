import type { Client, KubeObject, Resource } from '@trainjob/kube'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { outputForm } from '../../output/output-form.ts'
import { reportError } from '../../report-error.ts'
import { readTargets, type Targets } from './kind.ts'
import { type ObjectGroup, type PrintOptions, printObjects } from './print-objects.ts'

export interface GetFlags extends ConnectionFlags {
  readonly allNamespaces?: boolean
  readonly selector?: string
  readonly fieldSelector?: string
  readonly output?: string
  readonly watch?: boolean
  readonly headers: boolean
  readonly showLabels?: boolean
}

/** Lists objects, see `getHelp`. What is not there is told, and the rest is still printed. */
export async function get({ flags, args }: Invocation<GetFlags>, io: CommandIO): Promise<ExitCode> {
  const form = outputForm(flags.output)
  const targets = readTargets(args)
  return await withConnection(flags, io, async ({ kube, namespace }) => {
    const scope: Scope = {
      kube,
      signal: io.signal,
      ...(flags.allNamespaces ? {} : { namespace }),
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
      ...(flags.fieldSelector === undefined ? {} : { fieldSelector: flags.fieldSelector }),
    }
    const options: PrintOptions = {
      form,
      single: targets.length === 1 && targets[0]?.names.length === 1,
      headers: flags.headers,
      namespaces: flags.allNamespaces === true,
      labels: flags.showLabels === true,
      now: io.clock.now(),
    }
    if (flags.watch) return await watch(targets, scope, options, io)
    const { groups, errors } = await fetch(targets, scope)
    const empty = groups.every(({ objects }) => objects.length === 0)
    const listed = form.kind === 'table' || form.kind === 'wide' || form.kind === 'name'
    if (errors.length > 0 && empty) throw errors[0]
    if (empty && listed) {
      io.stderr.write(
        scope.namespace === undefined
          ? 'No resources found\n'
          : `No resources found in ${scope.namespace} namespace.\n`,
      )
    } else {
      io.stdout.write(await printObjects(groups, options))
    }
    for (const error of errors) reportError(error, io, false)
    return errors.length > 0 ? ExitCode.failed : ExitCode.ok
  })
}

interface Scope {
  readonly kube: Client
  /** All of them when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly signal: AbortSignal
}

async function fetch(
  targets: readonly Targets[],
  scope: Scope,
): Promise<{ groups: readonly ObjectGroup[]; errors: readonly unknown[] }> {
  const errors: unknown[] = []
  const groups = await Promise.all(
    targets.flatMap(({ resources, names }) =>
      names.length === 0
        ? resources.map(async (resource) => ({ resource, objects: await list(resource, scope) }))
        : names.map(async (name) => await named(name, resources, scope, errors)),
    ),
  )
  return { groups: merged(groups), errors }
}

async function list(resource: Resource, scope: Scope): Promise<readonly KubeObject[]> {
  const { kube, namespace, ...query } = scope
  const objects: KubeObject[] = []
  const within = resource.namespaced && namespace !== undefined ? { namespace } : {}
  for await (const object of kube.listAll(resource, { ...query, ...within })) {
    objects.push(whole(object, resource))
  }
  return objects
}

/** By name among kinds: the first that has it. */
async function named(
  name: string,
  resources: readonly Resource[],
  { kube, namespace = 'default', signal }: Scope,
  errors: unknown[],
): Promise<ObjectGroup> {
  let last: unknown
  for (const resource of resources) {
    try {
      const key = resource.namespaced ? { namespace, name } : { name }
      return { resource, objects: [whole(await kube.get(resource, key, { signal }), resource)] }
    } catch (error) {
      last ??= error
      if ((error as { httpCode?: number }).httpCode !== 404) break
    }
  }
  errors.push(last)
  return { resource: resources[0] as Resource, objects: [] }
}

/** Items of a list come without kind and version from some servers. */
function whole(object: KubeObject, { group, version, kind }: Resource): KubeObject {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

function merged(groups: readonly ObjectGroup[]): readonly ObjectGroup[] {
  const byResource = new Map<Resource, KubeObject[]>()
  for (const { resource, objects } of groups) {
    byResource.set(resource, [...(byResource.get(resource) ?? []), ...objects])
  }
  return [...byResource].map(([resource, objects]) => ({ resource, objects }))
}

/** Prints what is there, then each change as a line (or document) of its own, until interrupted. */
async function watch(
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
  const { createInformer } = await import('@trainjob/kube')
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
  const { errors } = await fetch(targets, scope)
  if (errors.length > 0) throw errors[0]
}

function isDocument({ form }: PrintOptions): boolean {
  return form.kind === 'json' || form.kind === 'yaml' || form.kind === 'jsonpath'
}

import { JobSets, Jobs, Pods, Services } from '@trainjob/api'
import {
  type Client,
  createInformer,
  type EventObject,
  EventObjects,
  type Informer,
  type KubeObject,
  type Resource,
  systemClock,
} from '@trainjob/kube'
import { type Aliases, createAliases } from './aliases.ts'
import { eventLine, normalForm } from './normal-form.ts'
import type { Sight } from './trace.ts'

/** Watches everything in a cluster that scenarios are about, whichever namespace they run in. */
export interface Observer {
  /** Milliseconds since anything moved in the namespace. */
  quietFor(namespace: string): number
  list<T extends KubeObject>(kind: string, namespace: string): readonly T[]
  /** What there is now; events since `since`, which is what the last call answered. */
  look(namespace: string, since: number): Omit<Sight, 'after' | 'refused'> & { readonly seen: number }
  stop(): Promise<void>
}

export const PersistentVolumeClaims: Resource = {
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
}
const KINDS: readonly Resource[] = [JobSets, Jobs, Pods, Services, PersistentVolumeClaims] as readonly Resource[]

export async function startObserver(client: Client): Promise<Observer> {
  const running = new AbortController()
  const moved = new Map<string, number>()
  const aliases = new Map<string, Aliases>()
  const inform = <T extends KubeObject>(resource: Resource<T>): Informer<T> => {
    const informer = createInformer<T>({
      client,
      resource,
      clock: systemClock,
      indexers: { namespace: ({ metadata }) => [metadata.namespace ?? ''] },
    })
    informer.on((change) => {
      const { namespace = '' } = change.object.metadata
      moved.set(namespace, performance.now())
      if (resource.kind !== 'Event') aliasesOf(namespace).learn(change.object)
    })
    return informer
  }
  const objects = new Map(KINDS.map((resource) => [resource.kind, inform(resource)]))
  const events = inform(EventObjects)
  const informers = [...objects.values(), events]
  const ends = informers.map((informer) => informer.run(running.signal))
  await Promise.all(informers.map((informer) => informer.hasSynced()))

  function aliasesOf(namespace: string): Aliases {
    const known = aliases.get(namespace) ?? createAliases()
    aliases.set(namespace, known)
    return known
  }

  return {
    quietFor: (namespace) => performance.now() - (moved.get(namespace) ?? 0),
    list: <T extends KubeObject>(kind: string, namespace: string) =>
      (objects.get(kind)?.store.byIndex('namespace', namespace) ?? []) as readonly T[],
    look(namespace, since) {
      const own = aliasesOf(namespace)
      const found = [...objects.values()].flatMap((informer) => informer.store.byIndex('namespace', namespace))
      const told = events.store.byIndex('namespace', namespace)
      return {
        objects: group(found.map((object) => [own.nameOf(object), own.replace(normalForm(object))])),
        events: eventsBySubject(told, since, own),
        seen: Math.max(since, ...told.map(versionOf)),
      }
    },
    async stop() {
      running.abort()
      await Promise.all(ends)
    },
  }
}

/** Versions of one server are numbers that grow. */
function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}

function group(entries: readonly (readonly [string, unknown])[]): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = {}
  const sorted = entries.toSorted((a, b) => compare(a[0], b[0]) || compare(JSON.stringify(a[1]), JSON.stringify(b[1])))
  for (const [key, value] of sorted) {
    groups[key] ??= []
    groups[key].push(value)
  }
  return groups
}

/** In the order in which they were written, but events of one kind that come together in any order. */
function eventsBySubject(events: readonly EventObject[], since: number, aliases: Aliases): Record<string, string[]> {
  const subjects: Record<string, EventObject[]> = {}
  for (const event of events.toSorted((a, b) => versionOf(a) - versionOf(b))) {
    if (versionOf(event) <= since) continue
    const { kind, name } = event.involvedObject
    const subject = aliases.replace(`${kind}/${name}`) as string
    subjects[subject] ??= []
    subjects[subject].push(event)
  }
  return Object.fromEntries(
    Object.entries(subjects)
      .sort(([a], [b]) => compare(a, b))
      .map(([subject, list]) => [subject, runsOf(list).flatMap((run) => run.map(line).sort())]),
  )
  function line(event: EventObject): string {
    return aliases.replace(eventLine(event)) as string
  }
}

function runsOf(events: readonly EventObject[]): EventObject[][] {
  const runs: EventObject[][] = []
  for (const event of events) {
    const last = runs.at(-1)
    if (last?.[0]?.reason === event.reason) last?.push(event)
    else runs.push([event])
  }
  return runs
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

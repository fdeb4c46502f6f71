import type { KubernetesObject, ResourceType } from '@trainjob/api'
import { apiVersionOf, type Change, type Client, type Clock, createInformer } from '@trainjob/kube'
import type { InformedKind } from '../informers.ts'
import { CustomResourceDefinitions } from '../server/crd/definition.ts'
import type { ServedResource } from '../server/served-resource.ts'

/** What follows the kinds that a server has. */
export interface ServedKindsOptions {
  readonly client: Client
  readonly clock: Clock
  /** The kinds that are served now. */
  readonly served: () => readonly ServedResource[]
  /** Those that are watched anyway. */
  readonly known: readonly InformedKind[]
  /** Told of every change of an object of another kind. */
  readonly onChange: (kind: InformedKind, change: Change<KubernetesObject>) => void
}

/** The kinds of a server, those of definitions too, while they come and go. */
export interface ServedKinds {
  /** The kind that an owner reference names, in whatever version. */
  find(apiVersion: string, kind: string): InformedKind | undefined
  run(signal: AbortSignal): Promise<void>
}

/** Kinds whose objects own nothing and are owned by nobody: there may be many of them, and they go by themselves. */
const IGNORED: ReadonlySet<string> = new Set(['Event'])

/** Watches all kinds that are served besides those that are known, as long as they are served. */
export function followServedKinds(options: ServedKindsOptions): ServedKinds {
  const { client, clock, served, known, onChange } = options
  const followed = new Map<string, { readonly kind: InformedKind; stop(): void }>()
  const definitions = createInformer({ client, clock, resource: CustomResourceDefinitions })

  function kindOf({ group, plural }: Pick<ServedResource, 'group' | 'plural'>): InformedKind | undefined {
    const own = known.find(({ resource }) => resource.group === group && resource.plural === plural)
    return own ?? followed.get(`${group}/${plural}`)?.kind
  }

  function refresh(signal: AbortSignal): void {
    const now = new Set<string>()
    for (const resource of served()) {
      const { group, plural, kind, verbs } = resource
      const key = `${group}/${plural}`
      if (now.has(key) || IGNORED.has(kind) || verbs?.includes('watch') === false) continue
      now.add(key)
      if (kindOf(resource) === undefined) followed.set(key, follow(resource, signal))
    }
    for (const [key, { stop }] of followed) {
      if (now.has(key)) continue
      stop()
      followed.delete(key)
    }
  }

  function follow(served: ServedResource, signal: AbortSignal): { readonly kind: InformedKind; stop(): void } {
    const { group, version, plural, kind: name, namespaced } = served
    const resource: ResourceType<KubernetesObject> = { group, version, plural, kind: name, namespaced }
    const informer = createInformer({ client, clock, resource })
    const kind = { resource, informer }
    const ended = new AbortController()
    const end = informer.on((change) => onChange(kind, change))
    // never rejects
    void informer.run(AbortSignal.any([signal, ended.signal]))
    return {
      kind,
      stop() {
        ended.abort()
        end()
      },
    }
  }

  return {
    find(apiVersion, kind) {
      const found = served().find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
      return found === undefined ? undefined : kindOf(found)
    },
    async run(signal) {
      refresh(signal)
      const end = definitions.on(() => refresh(signal))
      try {
        await definitions.run(signal)
      } finally {
        end()
        for (const { stop } of followed.values()) stop()
      }
    },
  }
}

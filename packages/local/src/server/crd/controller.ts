import { type Client, type Clock, createController, createInformer, type Resource } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { sideBySide } from '../../side-by-side.ts'
import { unlessGone } from '../../unless-gone.ts'
import { rfc3339 } from '../rfc3339.ts'
import { statusOfDefinition } from './accept-names.ts'
import { CLEANUP_FINALIZER } from './cleanup-finalizer.ts'
import { type CustomResourceDefinition, CustomResourceDefinitions, isTrue } from './definition.ts'

/** How long to wait for objects that have finalizers. */
const LOOK_AGAIN_MS = 200

/** Accepts the names of definitions, which the server then serves; removes the objects of those that are deleted. */
export function createDefinitionController({ client, clock }: { readonly client: Client; readonly clock: Clock }): {
  start(signal: AbortSignal): Promise<void>
} {
  const definitions = createInformer({ client, clock, resource: CustomResourceDefinitions })
  const controller = createController({ name: 'definition', clock })
    .for(definitions)
    // who lets go of a name may make room for another
    .watches(definitions, ({ spec }) => sameGroup(spec.group).map(({ metadata: { name = '' } }) => ({ name })))
    .reconcile(async ({ name }, { signal }) => {
      const definition = definitions.store.get({ name })
      if (definition === undefined) return
      if (definition.metadata.deletionTimestamp !== undefined) return remove(definition, signal)
      const others = sameGroup(definition.spec.group).filter((other) => other.metadata.name !== name)
      const status = statusOfDefinition(definition, others, rfc3339(clock.now()))
      if (equal(status, definition.status)) return
      await unlessGone(
        client.update(CustomResourceDefinitions, { ...definition, status }, { subresource: 'status', signal }),
      )
    })
  return { start: (signal) => controller.run(signal) }

  function sameGroup(group: string): readonly CustomResourceDefinition[] {
    return definitions.store.list().filter(({ spec }) => spec.group === group)
  }

  async function remove(
    definition: CustomResourceDefinition,
    signal: AbortSignal,
  ): Promise<{ requeueAfterMs: number } | undefined> {
    const { metadata } = definition
    if (metadata.finalizers?.includes(CLEANUP_FINALIZER) !== true) return undefined
    const resource = kindOf(definition)
    if (resource !== undefined && (await removeObjects(resource, signal)) > 0) return { requeueAfterMs: LOOK_AGAIN_MS }
    const finalizers = metadata.finalizers.filter((finalizer) => finalizer !== CLEANUP_FINALIZER)
    await unlessGone(
      client.update(CustomResourceDefinitions, { ...definition, metadata: { ...metadata, finalizers } }, { signal }),
    )
    return undefined
  }

  async function removeObjects(resource: Resource, signal: AbortSignal): Promise<number> {
    const { items } = await client.list(resource, { signal })
    const going = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    await sideBySide(going, ({ metadata: { name = '', namespace } }) =>
      unlessGone(client.delete(resource, { name, ...(namespace !== undefined && { namespace }) }, { signal })),
    )
    return items.length
  }
}

/** What the definition adds, in a version that is served. */
function kindOf(definition: CustomResourceDefinition): Resource | undefined {
  const { group, names, scope, versions } = definition.spec
  const version = versions.find(({ served }) => served)
  if (version === undefined || !isTrue(definition, 'Established')) return undefined
  const { plural, kind } = names
  return { group, version: version.name, plural, kind, namespaced: scope === 'Namespaced' }
}

import type { Store } from '../../store/store.ts'
import type { Registry } from '../registry.ts'
import { resourceName } from '../served-resource.ts'
import { type CustomResourceDefinition, CustomResourceDefinitions } from './definition.ts'
import { servedKinds } from './served-kinds.ts'

/** Serves what the definitions in the store add, now and whenever one of them changes. */
export function serveDefinitions(store: Store, registry: Registry): void {
  const collection = resourceName(CustomResourceDefinitions)
  const define = (definition: CustomResourceDefinition, gone: boolean): void => {
    registry.define(definition.metadata.name ?? '', gone ? [] : servedKinds(definition))
  }
  for (const object of store.list(collection).items) define(object as CustomResourceDefinition, false)
  store.watch(collection, store.version, ({ type, object }) => {
    define(object as CustomResourceDefinition, type === 'deleted')
  })
}

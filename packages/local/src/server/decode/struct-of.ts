import { builtinSchema, type StructSchema, structSchema } from '@trainjob/runtime'
import type { ServedResource } from '../served-resource.ts'

/** The struct that objects of a kind are stored as; `undefined` for kinds that are checked elsewhere, or not at all. */
export function structOf(resource: ServedResource): StructSchema | undefined {
  if (resource.group === 'jobset.x-k8s.io') return structSchema('jobset.JobSet')
  return builtinSchema(resource.storedAs ?? resource)
}

import { builtinSchema, type StructSchema, structSchema } from '@trainjob/runtime'
import type { ServedResource } from '../served-resource.ts'

/** The struct that objects of a kind are made of; `undefined` for kinds that are checked elsewhere, or not at all. */
export function structOf(resource: ServedResource): StructSchema | undefined {
  return resource.group === 'jobset.x-k8s.io' ? structSchema('jobset.JobSet') : builtinSchema(resource)
}

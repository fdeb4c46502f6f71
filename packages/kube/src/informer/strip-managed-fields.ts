import type { KubeObject } from '../object.ts'

/** The object without `metadata.managedFields`: most of a cached object's size, and of no use to a reader. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

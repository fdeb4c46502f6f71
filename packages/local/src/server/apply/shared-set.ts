import type { FieldSet } from './field-set.ts'

/** Sets that are remembered; the ones that were not asked for longest are forgotten. */
const REMEMBERED = 256

const known = new Map<string, FieldSet>()

/**
 * The same set, as one value for all objects whose fields are owned alike: jobs of one kind mostly are, and their sets
 * would take as much memory as the jobs themselves.
 */
export function sharedSet(set: FieldSet): FieldSet {
  const text = JSON.stringify(set)
  const shared = known.get(text) ?? set
  // the order of a map is that of insertion
  known.delete(text)
  known.set(text, shared)
  if (known.size > REMEMBERED) known.delete(known.keys().next().value as string)
  return shared
}

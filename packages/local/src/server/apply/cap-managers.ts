import { type FieldSet, union } from './field-set.ts'
import { isManager, type Manager, managerEntry } from './managers.ts'

/** How many entries of updates an object keeps. */
const MOST = 10

/** Who owns what was changed by those whose entries went. */
const ANCIENT = 'ancient-changes'

/**
 * Joins the oldest entries of updates, those of one version together, until there are no more than ten (source:
 * apimachinery, managedfields/internal/capmanagers.go).
 */
export function capManagers(managers: readonly Manager[]): readonly Manager[] {
  const updates = managers.filter(({ operation }) => operation === 'Update')
  if (updates.length <= MOST) return managers
  const oldest = updates.toSorted((a, b) => compareTexts(a.time ?? '', b.time ?? '') || compareTexts(idOf(a), idOf(b)))
  const kept = new Set(managers)
  const first = new Map<string, Manager>()
  let left = updates.length
  for (const entry of oldest) {
    if (left <= MOST) break
    const { apiVersion, time } = entry
    const begun = first.get(apiVersion)
    if (begun === undefined) {
      first.set(apiVersion, entry)
      continue
    }
    const bucket = { manager: ANCIENT, operation: 'Update', apiVersion } as const
    const present = [...kept].find((one) => isManager(one, bucket))
    const fields: FieldSet = union(entry.fieldsV1, (present ?? begun).fieldsV1)
    if (present === undefined) kept.delete(begun)
    else kept.delete(present)
    kept.delete(entry)
    // the younger of the two
    kept.add(managerEntry({ ...bucket, ...(time !== undefined && { time }) }, fields))
    left--
  }
  return [...kept]
}

/** As Kubernetes tells entries apart, whose order is that of these texts. */
function idOf({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify({ manager, operation, apiVersion, subresource })
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

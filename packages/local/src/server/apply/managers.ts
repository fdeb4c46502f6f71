import { equal } from '../../object/equal.ts'
import { rfc3339 } from '../rfc3339.ts'
import type { FieldSet } from './field-set.ts'
import { sharedSet } from './shared-set.ts'

/** An entry of `metadata.managedFields`. */
export interface Manager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time?: string
  readonly fieldsType?: 'FieldsV1'
  readonly fieldsV1: FieldSet
  readonly subresource?: string
}

/** What tells entries apart. */
export type ManagerId = Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>

/** Whether an entry is the one of this id; whoever applies keeps its entry when it goes over to another version. */
export function isManager(entry: ManagerId, id: ManagerId): boolean {
  return (
    entry.manager === id.manager &&
    entry.operation === id.operation &&
    (entry.operation === 'Apply' || entry.apiVersion === id.apiVersion) &&
    (entry.subresource ?? '') === (id.subresource ?? '')
  )
}

/** Reads `metadata.managedFields`; `undefined` when one of the entries is none. */
export function managersOf(managedFields: unknown): readonly Manager[] | undefined {
  if (managedFields === undefined || managedFields === null) return []
  return Array.isArray(managedFields) && managedFields.every(isEntry) ? managedFields : undefined
}

function isEntry(entry: unknown): entry is Manager {
  const { operation, apiVersion, fieldsType, fieldsV1 = {} } = (entry ?? {}) as Partial<Manager>
  return (
    (operation === 'Apply' || operation === 'Update') &&
    typeof apiVersion === 'string' &&
    apiVersion !== '' &&
    fieldsType === 'FieldsV1' &&
    typeof fieldsV1 === 'object' &&
    fieldsV1 !== null
  )
}

/** An entry as it is stored; without `now` it has no time, or keeps the one it has. */
export function managerEntry(id: ManagerId & { readonly time?: string }, fieldsV1: FieldSet, now?: number): Manager {
  const time = now === undefined ? id.time : rfc3339(now)
  return {
    manager: id.manager,
    operation: id.operation,
    apiVersion: id.apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: sharedSet(fieldsV1),
    ...(id.subresource !== undefined && { subresource: id.subresource }),
  }
}

/** Appliers first, then by time and name. */
export function inOrder(managers: readonly Manager[]): Manager[] {
  return managers.toSorted(
    (a, b) =>
      compareTexts(a.operation, b.operation) ||
      compareTexts(a.time ?? '', b.time ?? '') ||
      compareTexts(a.manager, b.manager) ||
      compareTexts(a.apiVersion, b.apiVersion) ||
      compareTexts(a.subresource ?? '', b.subresource ?? ''),
  )
}

/** Whether two lists of entries say the same but for their times. */
export function sameOwners(a: readonly Manager[], b: readonly Manager[]): boolean {
  return (
    a.length === b.length &&
    a.every((entry, index) => {
      const other = b[index]
      return (
        other !== undefined &&
        isManager(entry, other) &&
        entry.apiVersion === other.apiVersion &&
        equal(entry.fieldsV1, other.fieldsV1)
      )
    })
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

import { ApiFailure } from '../api-failure.ts'
import { type FieldSet, pathsOf } from './field-set.ts'
import { readableSegment } from './list-keys.ts'
import type { Manager } from './managers.ts'

/** Fields that an apply would change although this manager owns them. */
export interface ApplyConflict {
  readonly manager: Manager
  readonly fields: FieldSet
}

/** 409 with a cause for each field, in the words of kube-apiserver (clients show them as they are). */
export function conflictsFailure(conflicts: readonly ApplyConflict[]): ApiFailure {
  const owners = conflicts
    .map(({ manager, fields }) => ({
      id: idOf(manager),
      who: nameOf(manager),
      paths: pathsOf(fields).map((path) => path.map(readableSegment).join('')),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return new ApiFailure(409, 'Conflict', messageOf(owners), {
    details: {
      causes: owners.flatMap(({ who, paths }) =>
        paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
      ),
    },
  })
}

interface Owner {
  readonly who: string
  readonly paths: readonly string[]
}

function messageOf(owners: readonly Owner[]): string {
  const count = owners.reduce((sum, { paths }) => sum + paths.length, 0)
  const [first] = owners
  if (count === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.paths[0]}`
  }
  const lines = owners.flatMap(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)])
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`
}

function nameOf({ manager, operation, subresource, apiVersion }: Manager): string {
  const through = subresource === undefined ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const who = JSON.stringify(manager) + through
  return operation === 'Update' ? `${who} using ${apiVersion}` : who
}

/** The order of managers in a message is that of these texts. */
function idOf({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify({ manager, operation, ...(operation === 'Update' && { apiVersion }), subresource })
}

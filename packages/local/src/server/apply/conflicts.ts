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
  const causes = conflicts
    .flatMap(({ manager, fields }) =>
      pathsOf(fields).map((path) => ({ who: nameOf(manager), field: path.map(readableSegment).join('') })),
    )
    .sort((a, b) => (a.who < b.who ? -1 : a.who > b.who ? 1 : a.field < b.field ? -1 : 1))
  return new ApiFailure(409, 'Conflict', messageOf(causes), {
    details: {
      causes: causes.map(({ who, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${who}`,
        field,
      })),
    },
  })
}

interface Owned {
  readonly who: string
  readonly field: string
}

function messageOf(causes: readonly Owned[]): string {
  const [first] = causes
  if (causes.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.field}`
  }
  const lines: string[] = []
  for (const who of new Set(causes.map((cause) => cause.who))) {
    lines.push(`conflicts with ${who}:`)
    for (const cause of causes) if (cause.who === who) lines.push(`- ${cause.field}`)
  }
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`
}

function nameOf({ manager, operation, subresource, apiVersion }: Manager): string {
  const through = subresource === undefined ? '' : ` with subresource "${subresource}"`
  return operation === 'Update' ? `"${manager}"${through} using ${apiVersion}` : `"${manager}"${through}`
}

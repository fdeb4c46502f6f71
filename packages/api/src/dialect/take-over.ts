import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { Draft } from './draft.ts'
import { sameJson } from './same-json.ts'

/**
 * Moves a field to its canonical place. Where that is taken: the same value twice is one; on an update of a stored
 * object the field that was written counts; else it takes the author to say which one is meant.
 *
 * @returns whether the field is in its canonical place now.
 */
export function takeOver(draft: Draft, from: FieldPath, to: FieldPath, isUpdate: boolean): boolean {
  const written = draft.get(from)
  const present = draft.get(to)
  if (present !== undefined && !isUpdate && !sameJson(written, present)) {
    draft.error(
      from,
      `expected one of ${formatFieldPath(from)} and ${formatFieldPath(to)}, which mean the same, found both with different values; keep ${formatFieldPath(to)}`,
    )
    return false
  }
  draft.move(from, to, written)
  return true
}

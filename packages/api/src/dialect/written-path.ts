import type { FieldPath } from '../field-path.ts'

/** A field that was written in one place and stands in another now. */
export interface Move {
  readonly from: FieldPath
  readonly to: FieldPath
}

/**
 * Where a field of the canonical object was written.
 *
 * @example
 * const moves = [{ from: ['spec', 'trainer', 'resources'], to: ['spec', 'trainer', 'resourcesPerNode'] }]
 * writtenPath(['spec', 'trainer', 'resourcesPerNode', 'limits'], moves) // => ['spec', 'trainer', 'resources', 'limits']
 */
export function writtenPath(path: FieldPath, moves: readonly Move[]): FieldPath {
  let at = path
  for (let index = moves.length - 1; index >= 0; index--) {
    const { from, to } = moves[index] as Move
    if (to.length <= at.length && to.every((part, depth) => part === at[depth])) at = [...from, ...at.slice(to.length)]
  }
  return at
}

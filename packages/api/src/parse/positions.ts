import { isMap, isPair, isSeq, type LineCounter, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { type Move, writtenPath } from '../dialect/written-path.ts'
import { type FieldPath, parseFieldPath } from '../field-path.ts'

/** Where the parts of an object stand in the text it was read from. */
export interface Positions {
  /**
   * Line (the first is 1) of the field at a path like `spec.trainer.env[0].name`: of its key, or of the list item. For
   * a field that is not there, the line of the innermost part of the path that is.
   */
  lineOf(path: string | FieldPath): number
  /** The same for a path of the text, where the object was translated since it was read. */
  lineOfWritten(path: string | FieldPath): number
}

/** Which nodes a container was made from; merged mappings come after the mapping itself. */
export type NodesOf = WeakMap<object, readonly (YAMLMap | YAMLSeq)[]>

export function yamlPositions(
  value: unknown,
  root: Node | null,
  nodesOf: NodesOf,
  lineAt: (offset: number) => number,
): Positions {
  return untranslated((path) => {
    let at = value
    let line = lineAt(root?.range?.[0] ?? 0)
    for (const part of partsOf(path)) {
      if (typeof at !== 'object' || at === null) break
      const offset = offsetOf(nodesOf.get(at) ?? [], part)
      if (offset === undefined) break
      line = lineAt(offset)
      at = (at as Record<string | number, unknown>)[part]
    }
    return line
  })
}

/** Positions of an object that is as it was written. */
export function untranslated(lineOf: Positions['lineOf']): Positions {
  return { lineOf, lineOfWritten: lineOf }
}

/** Positions of an object that was translated. */
export function positionsAsWritten(positions: Positions, moves: readonly Move[]): Positions {
  if (moves.length === 0) return positions
  const { lineOfWritten } = positions
  return { lineOf: (path) => lineOfWritten(writtenPath(partsOf(path), moves)), lineOfWritten }
}

/** The parts of a path, however it is given. */
export function partsOf(path: string | FieldPath): FieldPath {
  return typeof path === 'string' ? parseFieldPath(path) : path
}

/** Lines of a chunk that begins at `firstLine` of its file. */
export function linesFrom(counter: LineCounter, firstLine: number): (offset: number) => number {
  return (offset) => Math.max(1, counter.linePos(offset).line) + firstLine - 1
}

/** Positions of what lies at `base` of a document, for the items of a list. */
export function positionsBelow(positions: Positions, base: FieldPath): Positions {
  if (base.length === 0) return positions
  return untranslated((path) => positions.lineOf([...base, ...partsOf(path)]))
}

function offsetOf(nodes: readonly (YAMLMap | YAMLSeq)[], part: string | number): number | undefined {
  for (const node of nodes) {
    if (isMap(node)) {
      // the last of two equal keys is the one that counts
      const pair = node.items.findLast((item) => isPair(item) && keyText(item) === String(part))
      if (pair !== undefined) return startOf(pair.key)
    } else if (isSeq(node) && typeof part === 'number') {
      const item = node.items[part]
      if (item !== undefined) return startOf(item)
    }
  }
  return undefined
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0]
}

/** A key as it is written, without quotes. Keys that read as something else than a text are compared so too. */
function keyText(pair: Pair): string | undefined {
  const key = pair.key as { value?: unknown } | null
  return key === null ? undefined : String(key.value)
}

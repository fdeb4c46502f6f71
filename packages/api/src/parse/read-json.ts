import { parseFieldPath } from '../field-path.ts'
import { MAX_DEPTH, TOO_DEEP } from './max-depth.ts'
import { untranslated } from './positions.ts'
import { type ReadDocument, readYaml } from './read-yaml.ts'
import type { JsonChunk } from './split-json.ts'

/**
 * Reads one JSON value. Plain JSON takes the quick way and is read a second time only if somebody asks for a line; what
 * JSON does not allow (comments, a comma too many) or hides (a key that stands twice) is read as YAML, as kubectl does.
 */
export function readJson(chunk: JsonChunk): ReadDocument {
  if (chunk.depth > MAX_DEPTH) {
    const fault = { code: 'yaml-syntax', line: chunk.line, message: TOO_DEEP } as const
    return { value: undefined, positions: untranslated(() => chunk.line), faults: [fault] }
  }
  let value: unknown
  try {
    value = JSON.parse(chunk.text)
  } catch {
    return readYaml(chunk.text, chunk.line)
  }
  if (countPairs(value) !== chunk.pairs) return readYaml(chunk.text, chunk.line)
  let slow: ReadDocument | undefined
  return {
    value,
    positions: untranslated((path) => {
      if (path.length === 0) return chunk.line
      slow ??= readYaml(chunk.text, chunk.line)
      return slow.positions.lineOf(typeof path === 'string' ? parseFieldPath(path) : path)
    }),
    faults: [],
  }
}

function countPairs(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let pairs = 0
  if (Array.isArray(value)) for (const item of value) pairs += countPairs(item)
  else for (const field of Object.values(value)) pairs += 1 + countPairs(field)
  return pairs
}

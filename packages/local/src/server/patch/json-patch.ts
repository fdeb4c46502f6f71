import { equal } from '../../object/equal.ts'
import { badRequest, unprocessable } from '../failures.ts'

/** One RFC 6902 operation. */
interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** An operation that does not fit the document. */
class Misfit extends Error {}

/**
 * Applies an RFC 6902 patch to a tree without changing it; what is not touched stays shared. Throws `ApiFailure`: 400
 * when the patch is none, 422 when it does not fit.
 */
export function applyJsonPatch(document: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  }
  try {
    return patch.reduce(applyOperation, document)
  } catch (error) {
    if (error instanceof Misfit) throw unprocessable(error)
    throw error
  }
}

function applyOperation(document: unknown, operation: Operation): unknown {
  if (typeof operation !== 'object' || operation === null)
    throw badRequest('error decoding patch: an operation is no object')
  const path = pointerOf(operation.path)
  switch (operation.op) {
    case 'add':
      return put(document, path, 0, operation.value, 'add')
    case 'replace':
      return put(document, path, 0, operation.value, 'replace')
    case 'remove':
      return remove(document, path, 0)
    case 'test':
      if (!equal(read(document, path), operation.value ?? null)) throw new Misfit(`test of ${operation.path} failed`)
      return document
    case 'copy':
      return put(document, path, 0, read(document, pointerOf(operation.from)), 'add')
    case 'move': {
      const from = pointerOf(operation.from)
      const value = read(document, from)
      return put(remove(document, from, 0), path, 0, value, 'add')
    }
    default:
      throw badRequest(`error decoding patch: unknown operation ${JSON.stringify(operation.op)}`)
  }
}

function pointerOf(text: unknown): string[] {
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) {
    throw badRequest(`error decoding patch: ${JSON.stringify(text) ?? 'a missing path'} is no JSON pointer`)
  }
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(document: unknown, path: readonly string[]): unknown {
  return path.reduce((value, part) => {
    if (Array.isArray(value)) return value[indexOf(part, value.length - 1)]
    return childOf(value, part)
  }, document)
}

function put(value: unknown, path: readonly string[], depth: number, put_: unknown, how: 'add' | 'replace'): unknown {
  const part = path[depth]
  if (part === undefined) return put_ ?? null
  const last = depth === path.length - 1
  if (Array.isArray(value)) {
    if (last && how === 'add') {
      const index = part === '-' ? value.length : indexOf(part, value.length)
      return value.toSpliced(index, 0, put_ ?? null)
    }
    const index = indexOf(part, value.length - 1)
    return value.with(index, put(value[index], path, depth + 1, put_, how))
  }
  if (last && how === 'add') return { ...objectOf(value, part), [part]: put_ ?? null }
  return { ...objectOf(value, part), [part]: put(childOf(value, part), path, depth + 1, put_, how) }
}

function remove(value: unknown, path: readonly string[], depth: number): unknown {
  const part = path[depth]
  if (part === undefined) throw new Misfit('the whole document cannot be removed')
  const last = depth === path.length - 1
  if (Array.isArray(value)) {
    const index = indexOf(part, value.length - 1)
    return last ? value.toSpliced(index, 1) : value.with(index, remove(value[index], path, depth + 1))
  }
  const child = childOf(value, part)
  const { [part]: _, ...rest } = objectOf(value, part)
  return last ? rest : { ...objectOf(value, part), [part]: remove(child, path, depth + 1) }
}

function childOf(value: unknown, part: string): unknown {
  const object = objectOf(value, part)
  if (!Object.hasOwn(object, part)) throw new Misfit(`there is no "${part}"`)
  return object[part]
}

function objectOf(value: unknown, part: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Misfit(`"${part}" is looked for in what is no object`)
  if (part === '__proto__') throw new Misfit('"__proto__" cannot be patched')
  return value as Record<string, unknown>
}

function indexOf(part: string, highest: number): number {
  if (!/^(0|[1-9]\d*)$/.test(part) || Number(part) > highest) throw new Misfit(`"${part}" is no index up to ${highest}`)
  return Number(part)
}

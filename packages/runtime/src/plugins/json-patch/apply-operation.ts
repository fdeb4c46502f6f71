import type { JsonPatchOperation } from '@trainjob/api'
import { deepEqual } from '../../deep-equal.ts'
import { PatchFault } from './fault.ts'
import { type Pointer, readPointer } from './pointer.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Applies one operation of RFC 6902. The value is not changed: what lies on the path is copied, everything else shared.
 * Beyond the RFC, `add` makes the lists and maps on its way that are missing, and `add` at the end of a list that is
 * not there starts it.
 *
 * @throws PatchFault
 */
export function applyOperation(root: unknown, operation: JsonPatchOperation): unknown {
  const path = readPointer(operation.path)
  switch (operation.op) {
    case 'add':
      return add(root, path, 0, operation.value)
    case 'remove':
      return change(root, path, 0, undefined)
    case 'replace':
      return change(root, path, 0, { value: operation.value })
    case 'move': {
      const from = readPointer(operation.from ?? '')
      const value = valueAt(root, from)
      if (isWithin(path, from)) {
        if (path.length === from.length) return root
        throw new PatchFault(from, 'expected another place, found one inside of what is moved')
      }
      return add(change(root, from, 0, undefined), path, 0, value)
    }
    case 'copy':
      return add(root, path, 0, valueAt(root, readPointer(operation.from ?? '')))
    default: {
      const found = valueAt(root, path)
      if (deepEqual(found, operation.value)) return root
      throw new PatchFault(path, `expected ${JSON.stringify(operation.value)}, found ${JSON.stringify(found)}`)
    }
  }
}

/** Throws `PatchFault` where there is nothing. */
function valueAt(root: unknown, path: Pointer): unknown {
  let at = root
  path.forEach((part, depth) => {
    at = childOf(at, part, path.slice(0, depth))
  })
  return at
}

function childOf(at: unknown, part: string, reached: Pointer): unknown {
  if (Array.isArray(at)) return at[indexIn(at, part, reached, at.length - 1)]
  if (isFields(at) && Object.hasOwn(at, part)) return at[part]
  throw missing(at, part, reached)
}

/** `replacement` in place of what is there, or nothing. */
function change(
  at: unknown,
  path: Pointer,
  depth: number,
  replacement: { readonly value: unknown } | undefined,
): unknown {
  const part = path[depth] as string
  const reached = path.slice(0, depth)
  const isLast = depth === path.length - 1
  const child = childOf(at, part, reached)
  const next = isLast ? replacement?.value : change(child, path, depth + 1, replacement)
  if (Array.isArray(at)) {
    const list = at.slice()
    if (isLast && replacement === undefined) list.splice(Number(part), 1)
    else list[Number(part)] = next
    return list
  }
  if (isLast && replacement === undefined) {
    const { [part]: _, ...rest } = at as Fields
    return rest
  }
  return { ...(at as Fields), [part]: next }
}

function add(at: unknown, path: Pointer, depth: number, value: unknown): unknown {
  const part = path[depth] as string
  const reached = path.slice(0, depth)
  const isLast = depth === path.length - 1
  if (Array.isArray(at)) {
    const list = at.slice()
    if (isLast) list.splice(part === '-' ? list.length : indexIn(list, part, reached, list.length), 0, value)
    else {
      const index = indexIn(list, part, reached, list.length - 1)
      list[index] = add(list[index], path, depth + 1, value)
    }
    return list
  }
  if (!isFields(at)) throw missing(at, part, reached)
  if (isLast) return { ...at, [part]: value }
  const child = at[part] ?? (isListPart(path[depth + 1] as string) ? [] : {})
  return { ...at, [part]: add(child, path, depth + 1, value) }
}

/** The start of a list: positions further on would leave a hole. */
function isListPart(part: string): boolean {
  return part === '-' || /^\d+$/.test(part)
}

function indexIn(list: readonly unknown[], part: string, reached: Pointer, last: number): number {
  if (/^(0|[1-9]\d*)$/.test(part) && Number(part) <= last) return Number(part)
  const items = list.length === 1 ? '1 item' : `${list.length} items`
  throw new PatchFault(reached, `expected a position in the list, found ${JSON.stringify(part)}; it has ${items}`)
}

function missing(at: unknown, part: string, reached: Pointer): PatchFault {
  if (!isFields(at))
    return new PatchFault(reached, `expected an object or a list, found ${JSON.stringify(at) ?? 'nothing'}`)
  const fields = Object.keys(at)
  const list = fields.length === 0 ? 'nothing is there' : `there are ${fields.slice(0, 12).join(', ')}`
  return new PatchFault(reached, `expected the field ${JSON.stringify(part)}, which is not there; ${list}`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWithin(path: Pointer, outer: Pointer): boolean {
  return outer.every((part, depth) => part === path[depth])
}

import { type FieldSchema, isMap } from './field-schema.ts'

/** The segment that names an item of a keyed list: `k:{"name":"FOO"}` with sorted keys, or `v:"x"`. */
export function segmentOf(item: unknown, schema: FieldSchema): string {
  if (schema.list === 'set') return `v:${keyText(item)}`
  const keys = schema.list ?? []
  const [only] = keys
  if (keys.length === 1 && only !== undefined) {
    const value = keyOf(item, only, schema)
    return value === undefined ? 'k:{}' : `k:{"${only}":${keyText(value)}}`
  }
  const texts: string[] = []
  for (const key of [...keys].sort()) {
    const value = keyOf(item, key, schema)
    if (value !== undefined) texts.push(`"${key}":${keyText(value)}`)
  }
  return `k:{${texts.join(',')}}`
}

function keyOf(item: unknown, key: string, schema: FieldSchema): unknown {
  return isMap(item) && Object.hasOwn(item, key) ? item[key] : schema.keyDefaults?.[key]
}

/** Whether two items have the same segment; without making it. */
function sameKeys(a: unknown, b: unknown, schema: FieldSchema): boolean {
  const { list } = schema
  if (typeof list !== 'object') return a === b
  for (const key of list) if (keyOf(a, key, schema) !== keyOf(b, key, schema)) return false
  return true
}

/** Whether two lists have items with the same segments in the same order. */
export function sameItems(a: readonly unknown[], b: readonly unknown[], schema: FieldSchema): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!sameKeys(a[index], b[index], schema)) return false
  return true
}

/** Lists up to this length are searched without an index. */
const FEW = 8

/** Whether an item of a list is there twice. */
export function hasDoubles(list: readonly unknown[], schema: FieldSchema): boolean {
  if (list.length > FEW) return new Set(list.map((item) => segmentOf(item, schema))).size < list.length
  for (let one = 1; one < list.length; one++) {
    for (let other = 0; other < one; other++) if (sameKeys(list[one], list[other], schema)) return true
  }
  return false
}

/** The JSON of a value in a segment, as Go writes it: some characters are escaped for HTML. */
export function keyText(value: unknown): string {
  const text = JSON.stringify(value)
  return SPECIAL.test(text) ? text.replaceAll(SPECIALS, unicodeEscape) : text
}

const SPECIAL = /[<>&\u2028\u2029]/
const SPECIALS = new RegExp(SPECIAL, 'g')

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Items of a list by their segments, in order; those that share one together. */
export function itemsBySegment(
  list: readonly unknown[],
  schema: FieldSchema,
): ReadonlyMap<string, readonly [unknown, ...unknown[]]> {
  const items = new Map<string, [unknown, ...unknown[]]>()
  for (const item of list) {
    const segment = segmentOf(item, schema)
    const same = items.get(segment)
    if (same === undefined) items.set(segment, [item])
    else same.push(item)
  }
  return items
}

/** `.env`, `[name="A"]`, `[="x"]`: a segment as messages show it. */
export function readableSegment(segment: string): string {
  const text = segment.slice(2)
  if (segment.startsWith('f:')) return `.${text}`
  if (segment.startsWith('v:')) return `[=${valueText(JSON.parse(text))}]`
  if (segment.startsWith('i:')) return `[${text}]`
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>)
  return `[${keys.map(([key, value]) => `${key}=${valueText(value)}`).join(',')}]`
}

function valueText(value: unknown): string {
  return value === null ? 'null' : JSON.stringify(value)
}

/** Orders segments as Kubernetes does: fields, then keys, then values; numbers before texts before truth values. */
export function compareSegments(a: string, b: string): number {
  const [x = '', y = ''] = [a[0], b[0]]
  if (x !== y) return KINDS.indexOf(x) - KINDS.indexOf(y)
  if (x === 'f') return compareTexts(a, b)
  const [left, right] = [JSON.parse(a.slice(2)), JSON.parse(b.slice(2))]
  return x === 'k' ? compareKeys(left, right) : compareValues(left, right)
}

const KINDS = 'fkvi'

function compareKeys(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): number {
  const [left, right] = [Object.entries(a), Object.entries(b)]
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compareTexts(name, other[0]) || compareValues(value, other[1])
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareValues(a: unknown, b: unknown): number {
  const [x, y] = [rankOf(a), rankOf(b)]
  if (x !== y) return x - y
  if (typeof a === 'string') return compareTexts(a, b as string)
  return Number(a) - Number(b)
}

function rankOf(value: unknown): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : typeof value === 'boolean' ? 2 : 3
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

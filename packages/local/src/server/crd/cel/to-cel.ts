import { isObject, type StructuralSchema, valuesOf } from '../structural-schema.ts'

/** Words of CEL that no field may be called; a field of that name is written between double underscores. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/**
 * The name of a field in an expression, where `x-y`, `a.b` and `for` are no names: `x__dash__y`, `a__dot__b`, `__for__`
 * (source: k8s.io/apiserver, pkg/cel/escaping.go).
 */
export function escapedName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

/** Milliseconds of the units of a Go duration. */
const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
}

/** Makes values of types that JSON does not have. */
export interface CelTypes {
  /** A CEL duration. */
  duration(seconds: bigint, nanos: number): unknown
}

/**
 * A JSON value as CEL sees it through its schema: integers are `bigint`, times are `Date`, fields that the schema does
 * not declare are not there. Of the metadata of an object only `name` and `generateName` can be seen.
 */
export function toCel(
  value: unknown,
  schema: StructuralSchema | undefined,
  types: CelTypes,
  root: boolean = false,
): unknown {
  if (value === null || value === undefined || schema === undefined) return value ?? null
  if (typeof value === 'number') {
    const whole = schema.type === 'integer' || schema['x-kubernetes-int-or-string'] === true
    return whole && Number.isInteger(value) ? BigInt(value) : value
  }
  if (typeof value === 'string') return textToCel(value, schema, types)
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema.items, types))
  if (!isObject(value)) return value
  return objectToCel(value, schema, types, root)
}

function textToCel(text: string, { format }: StructuralSchema, types: CelTypes): unknown {
  if (format === 'date-time' || format === 'datetime' || format === 'date') {
    const time = new Date(text)
    return Number.isNaN(time.getTime()) ? text : time
  }
  if (format === 'byte') return new Uint8Array(Buffer.from(text, 'base64'))
  if (format !== 'duration') return text
  let ms = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)) {
    ms += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  }
  if (text.startsWith('-')) ms = -ms
  const seconds = Math.trunc(ms / 1000)
  return types.duration(BigInt(seconds), Math.round((ms - seconds * 1000) * 1e6))
}

function objectToCel(
  object: Readonly<Record<string, unknown>>,
  schema: StructuralSchema,
  types: CelTypes,
  root: boolean,
): unknown {
  const result: Record<string, unknown> = {}
  const values = valuesOf(schema)
  const embedded = root || schema['x-kubernetes-embedded-resource'] === true
  for (const [name, child] of Object.entries(object)) {
    if (embedded && (name === 'apiVersion' || name === 'kind')) set(result, name, child)
    else if (embedded && name === 'metadata') set(result, name, visibleMetadata(child))
    else if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) {
      set(result, escapedName(name), toCel(child, schema.properties[name], types))
    } else if (values !== undefined) set(result, name, toCel(child, values, types))
  }
  return result
}

/** Also a field called `__proto__` is a field. */
function set(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function visibleMetadata(metadata: unknown): object {
  const { name, generateName } = (isObject(metadata) ? metadata : {}) as { name?: unknown; generateName?: unknown }
  return { ...(name !== undefined && { name }), ...(generateName !== undefined && { generateName }) }
}

import type { KubeObject } from '@trainjob/kube'
import { unforeseen } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'
import { type FieldSchema, type FieldType, fieldOf, isKeyedList, isMap } from './field-schema.ts'
import { hasDoubles, readableSegment, segmentOf } from './list-keys.ts'
import { schemaOf } from './schemas.ts'
import { ownablePart } from './tracked.ts'

/**
 * Checks what is applied: its fields are declared, of the right type, and no item of a keyed list is there twice.
 * Throws `ApiFailure` 500 in the words of the real server.
 */
export function checkApplied(config: KubeObject, resource: ServedResource, schema: FieldSchema): void {
  const part = ownablePart(config)
  if (hasFaults(part, schema)) refuse(config, resource, faultsOf(part, schema))
}

/** Whether `faultsOf` would find something; says nothing of where, which costs more than looking. */
function hasFaults(value: unknown, schema: FieldSchema | undefined): boolean {
  if (value === null || value === undefined) return false
  if (schema?.type !== undefined && mismatch(value, schema) !== undefined) return true
  if (typeof value !== 'object') return false
  if (!Array.isArray(value)) {
    for (const key in value) {
      const child = fieldOf(schema, key)
      if (child === undefined && schema?.closed === true) return true
      if (hasFaults((value as Record<string, unknown>)[key], child)) return true
    }
    return false
  }
  const keyed = schema?.list !== undefined
  for (const item of value) {
    if ((keyed && notAnItem(item, schema) !== undefined) || hasFaults(item, schema?.items)) return true
  }
  return keyed && hasDoubles(value, schema)
}

/** A field that the kind does not have, or a value of another type than the `expected`. */
export interface Untyped {
  /** `spec.containers[0].image`, `data[key]`. */
  readonly path: string
  /** In the words of JSON. */
  readonly expected?: string
  readonly found?: unknown
}

/** Throws what `checkApplied` does for faults that others found, if there are any. */
export function throwUntyped(config: KubeObject, resource: ServedResource, faults: readonly Untyped[]): void {
  const schema = schemaOf(resource)
  const texts = faults.map(({ path, expected, found }) => {
    const wrong = mismatch(found, { type: TYPES[expected ?? ''] ?? 'scalar' })
    return `${readablePath(path, config, schema)}: ${expected === undefined ? UNDECLARED : wrong}`
  })
  refuse(config, resource, texts)
}

const UNDECLARED = 'field not declared in schema'

const TYPES: Readonly<Record<string, FieldType>> = {
  object: 'object',
  array: 'array',
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
}

function refuse({ metadata }: KubeObject, resource: ServedResource, faults: readonly string[]): void {
  if (faults.length === 0) return
  const [first] = faults
  const text = faults.length === 1 ? first : ['errors:', ...faults.map((fault) => `  ${fault}`)].join('\n')
  const object = `${metadata.namespace ?? ''}/${metadata.name ?? ''}; ${resource.group}/${resource.version}, Kind=${resource.kind}`
  throw unforeseen(`failed to create typed patch object (${object}): ${text}`)
}

/** A path as the real server writes it: items of keyed lists by their keys. */
function readablePath(path: string, config: unknown, schema: FieldSchema): string {
  let [value, at]: [unknown, FieldSchema | undefined] = [config, schema]
  let text = ''
  for (const [, name, bracketed] of path.matchAll(/\.?([^.[\]]+)|\[([^\]]*)\]/g)) {
    const part = name ?? bracketed ?? ''
    if (Array.isArray(value)) {
      const item: unknown = value[Number(part)]
      text += isKeyedList(value, at) ? readableSegment(segmentOf(item, at as FieldSchema)) : `[${part}]`
      ;[value, at] = [item, at?.items]
    } else {
      text += `.${part}`
      ;[value, at] = [isMap(value) ? value[part] : undefined, fieldOf(at, part)]
    }
  }
  return text
}

/** What is wrong with a configuration, as `path: what`. */
export function faultsOf(config: object, schema: FieldSchema | undefined): string[] {
  const faults: string[] = []
  check(config, schema, '', faults)
  return faults
}

function check(value: unknown, schema: FieldSchema | undefined, path: string, faults: string[]): void {
  if (value === null || value === undefined) return
  const wrong = schema?.type === undefined ? undefined : mismatch(value, schema)
  if (wrong !== undefined) faults.push(`${path}: ${wrong}`)
  else if (Array.isArray(value)) checkList(value, schema, path, faults)
  else if (isMap(value)) checkMap(value, schema, path, faults)
}

function checkMap(map: Record<string, unknown>, schema: FieldSchema | undefined, path: string, faults: string[]): void {
  for (const key of Object.keys(map)) {
    const child = fieldOf(schema, key)
    if (child === undefined && schema?.closed === true) {
      faults.push(`${path}.${key}: ${UNDECLARED}`)
    } else check(map[key], child, `${path}.${key}`, faults)
  }
}

function checkList(list: readonly unknown[], schema: FieldSchema | undefined, path: string, faults: string[]): void {
  if (schema?.list === undefined) {
    for (const [index, item] of list.entries()) check(item, schema?.items, `${path}[${index}]`, faults)
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const wrong = notAnItem(item, schema)
    if (wrong !== undefined) {
      faults.push(`${path}: element ${index}: ${wrong}`)
      return
    }
    const segment = segmentOf(item, schema)
    if (seen.has(segment)) faults.push(`${path}: duplicate entries for key ${readableSegment(segment)}`)
    seen.add(segment)
    check(item, schema.items, path + readableSegment(segment), faults)
  }
}

function notAnItem(item: unknown, schema: FieldSchema): string | undefined {
  if (schema.list === 'set') {
    if (item === null) return "associative list without keys has an element that's an explicit null"
    if (Array.isArray(item)) return 'not supported: associative list with lists as elements'
    return isMap(item) ? "associative list without keys has an element that's a map type" : undefined
  }
  if (item === null) return 'associative list with keys may not have a null element'
  if (!isMap(item)) return 'associative list with keys may not have non-map elements'
  const list = schema.list ?? []
  if (list.some((key) => Object.hasOwn(item, key) || schema.keyDefaults?.[key] !== undefined)) return undefined
  const keys = list.map((key) => JSON.stringify(key)).join(' ')
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`
}

function mismatch(value: unknown, { type }: Pick<FieldSchema, 'type'>): string | undefined {
  switch (type) {
    case 'object':
      return isMap(value) ? undefined : `expected map, got &{${plain(value)}}`
    case 'array':
      return Array.isArray(value) ? undefined : `expected list, got &{${plain(value)}}`
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${literal(value)}}`
    case 'number':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${typeName(value)}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${plain(value)}}`
    case 'scalar':
      return typeof value === 'object' ? `expected any scalar, got &{${plain(value)}}` : undefined
    default:
      return undefined
  }
}

/** A value as Go's `%v` writes it. */
function plain(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([key, item]) => `${key}:${plain(item)}`)
      .join(' ')}]`
  return String(value)
}

/** A value as Go's `%#v` writes it. */
function literal(value: unknown): string {
  if (value === null) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(literal).join(', ')}}`
  if (isMap(value)) {
    const fields = sortedEntries(value).map(([key, item]) => `${JSON.stringify(key)}:${literal(item)}`)
    return `map[string]interface {}{${fields.join(', ')}}`
  }
  return JSON.stringify(value)
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isMap(value)) return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function sortedEntries(map: Record<string, unknown>): [string, unknown][] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))
}

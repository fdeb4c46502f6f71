import { parseQuantity } from '@trainjob/api'
import type { FieldSchema, StructSchema } from '@trainjob/runtime'
import { itemTypeOf, type ScalarType, scalarTypeOf } from './scalar-types.ts'

/** A value of a type that its field cannot hold. */
export interface TypeFault {
  readonly path: string
  /** In the words of JSON: `object`, `array`, `string`, `integer`, `boolean`; or `quantity`. */
  readonly expected: string
  readonly found: unknown
}

/** What was found wrong in a value. */
export interface Conformance {
  /** The value without unknown fields and without nulls; what needs no change is shared with the input. */
  readonly value: unknown
  readonly unknown: readonly string[]
  readonly faults: readonly TypeFault[]
}

/**
 * Compares a value with the struct that it is said to be. A `null` counts as absent, and so does an empty list or map,
 * as it does in Go; unknown fields are left out and named. Parts that stand in `trusted` at the same place, as the very same value, are not looked at.
 */
export function conform(value: unknown, schema: StructSchema, trusted?: unknown): Conformance {
  const walk = new Walk()
  const result = walk.struct(value, schema, '', trusted)
  return { value: result, unknown: walk.unknown, faults: walk.faults }
}

class Walk {
  readonly unknown: string[] = []
  readonly faults: TypeFault[] = []

  struct(value: unknown, schema: StructSchema, path: string, trusted: unknown): unknown {
    if (value === trusted) return value
    if (!isObject(value)) return this.#fault(path, 'object', value)
    const known = isObject(trusted) ? trusted : undefined
    let result: Record<string, unknown> | undefined
    for (const name in value) {
      const child = value[name]
      const field = schema.fields.get(name)
      const at = path === '' ? name : `${path}.${name}`
      if (field === undefined) this.unknown.push(at)
      const kept =
        field === undefined || child === null ? undefined : this.#field(child, field, schema.name, at, known?.[name])
      if (kept === child) continue
      result ??= { ...value }
      if (kept === undefined) delete result[name]
      else result[name] = kept
    }
    return result ?? value
  }

  #field(value: unknown, field: FieldSchema, struct: string, path: string, trusted: unknown): unknown {
    if (value === trusted) return value
    if (field.shape === 'list') return this.#list(value, field, struct, path, trusted)
    if (field.shape === 'map') return this.#map(value, field, path)
    if (field.struct !== undefined) return this.struct(value, field.struct, path, trusted)
    if (field.shape === 'quantity') return this.#quantity(value, path)
    const type = field.absent === '' ? 'string' : field.absent === false ? 'boolean' : scalarTypeOf(struct, field.name)
    return type === undefined ? value : this.#scalar(value, type, path)
  }

  #list(value: unknown, field: FieldSchema, struct: string, path: string, trusted: unknown): unknown {
    if (!Array.isArray(value)) return this.#fault(path, 'array', value)
    // an empty list of owners says that there are none
    if (value.length === 0 && !field.always && field.name !== 'managedFields') return undefined
    const known = Array.isArray(trusted) ? trusted : undefined
    let result: unknown[] | undefined
    for (let index = 0; index < value.length; index++) {
      const at = `${path}[${index}]`
      const item: unknown = value[index]
      const kept =
        field.struct === undefined
          ? this.#scalar(item, itemTypeOf(struct, field.name), at)
          : this.struct(item, field.struct, at, known?.[index])
      if (kept === item) continue
      result ??= [...value]
      result[index] = kept
    }
    return result ?? value
  }

  #map(value: unknown, field: FieldSchema, path: string): unknown {
    if (!isObject(value)) return this.#fault(path, 'object', value)
    const items = Object.entries(value)
    if (items.length === 0 && !field.always) return undefined
    let result: Record<string, unknown> | undefined
    for (const [key, item] of items) {
      const at = `${path}[${key}]`
      if (field.struct !== undefined) this.struct(item, field.struct, at, undefined)
      else if (field.element === 'quantity') this.#quantity(item, at)
      else if (item === null) {
        // Go makes an empty text of it
        result ??= { ...value }
        result[key] = ''
      } else this.#scalar(item, 'string', at)
    }
    return result ?? value
  }

  #quantity(value: unknown, path: string): unknown {
    if (typeof value !== 'string' && typeof value !== 'number') return this.#fault(path, 'quantity', value)
    try {
      parseQuantity(value)
      return value
    } catch {
      return this.#fault(path, 'quantity', value)
    }
  }

  #scalar(value: unknown, type: ScalarType, path: string): unknown {
    const fits = type === 'integer' ? Number.isInteger(value) : typeof value === type
    return fits ? value : this.#fault(path, type, value)
  }

  #fault(path: string, expected: string, found: unknown): unknown {
    this.faults.push({ path, expected, found })
    return found
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { CRD_DEFAULTS } from './defaults.ts'
import { TYPE_TABLE } from './table.ts'

/** One JSON field of a struct, see `TYPE_TABLE` for what the shapes mean. */
export interface FieldSchema {
  readonly name: string
  readonly shape: 'value' | 'quantity' | 'struct' | 'list' | 'map'
  /** Of the elements, for lists and maps; else the same as `shape`. */
  readonly element: 'value' | 'quantity' | 'struct'
  /** Left out when it holds `''`, `0`, `false` or nothing. */
  readonly dropsZero: boolean
  /** A patch says null when the field is absent, and says it when it is empty: Go does not leave it out. */
  readonly always: boolean
  /** What an absent field is written as; `undefined`: it stays absent. For structs any other value means "an empty one". */
  readonly absent: unknown
  /** Strategic merge joins the list by this key; `''` makes it a set of values; `undefined`: it is replaced whole. */
  readonly mergeKey?: string
  /** Of the struct, or of the elements. */
  readonly struct?: StructSchema
}

/** A struct. The fields of a struct are read from the table when they are first asked for. */
export interface StructSchema {
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldSchema>
  /** The fields with an `absent` value. */
  readonly written: readonly FieldSchema[]
  /** The fields that a patch says when they are absent. */
  readonly always: readonly FieldSchema[]
  /** Values that the API server gives absent fields. */
  readonly defaults: Readonly<Record<string, unknown>>
}

/**
 * The schema of a struct of `TYPE_TABLE`, for example `jobset.JobSetSpec`. Throws `TypeError` for one that is not there.
 *
 * @example
 * structSchema('core.PodSpec').fields.get('containers')?.mergeKey // => 'name'
 */
export function structSchema(name: string): StructSchema {
  const known = structs.get(name)
  if (known) return known
  const row = TYPE_TABLE[name]
  if (row === undefined) throw new TypeError(`Expected a struct of the type table, found ${name}.`)
  const schema = new LazyStruct(name, row)
  structs.set(name, schema)
  return schema
}

/**
 * The schema of a built-in kind for strategic merge, `undefined` for kinds without one (custom resources).
 *
 * @example
 * builtinSchema({ group: '', kind: 'Pod' })?.name // => 'core.Pod'
 * builtinSchema({ group: 'example.com', kind: 'Pod' }) // => undefined
 */
export function builtinSchema(resource: { readonly group: string; readonly kind: string }): StructSchema | undefined {
  const name = `${resource.group === '' ? 'core' : resource.group}.${resource.kind}`
  return resource.group === '' || resource.group === 'batch'
    ? name in TYPE_TABLE
      ? structSchema(name)
      : undefined
    : undefined
}

const structs = new Map<string, StructSchema>()

class LazyStruct implements StructSchema {
  readonly name: string
  readonly defaults: Readonly<Record<string, unknown>>
  readonly #row: string
  #fields: ReadonlyMap<string, FieldSchema> | undefined
  #written: readonly FieldSchema[] | undefined
  #always: readonly FieldSchema[] | undefined

  constructor(name: string, row: string) {
    this.name = name
    this.defaults = CRD_DEFAULTS[name] ?? {}
    this.#row = row
  }

  get fields(): ReadonlyMap<string, FieldSchema> {
    this.#fields ??= new Map(parseRow(this.#row))
    return this.#fields
  }

  get written(): readonly FieldSchema[] {
    this.#written ??= [...this.fields.values()].filter((field) => field.absent !== undefined)
    return this.#written
  }

  get always(): readonly FieldSchema[] {
    this.#always ??= [...this.fields.values()].filter(({ always }) => always)
    return this.#always
  }
}

function* parseRow(row: string): Generator<[string, FieldSchema]> {
  if (row === '') return
  for (const item of row.split(' ')) {
    const colon = item.indexOf(':')
    const name = item.slice(0, colon)
    yield [name, parseShape(name, item.slice(colon + 1))]
  }
}

const VALUE = { shape: 'value', element: 'value', dropsZero: false, always: false, absent: undefined } as const

const ZEROES: Readonly<Record<string, unknown>> = { '!s': '', '!0': 0, '!b': false }

function parseShape(name: string, text: string): FieldSchema {
  if (text in ZEROES) return { ...VALUE, name, absent: ZEROES[text] }
  const always = text.endsWith('!')
  const shape = always ? text.slice(0, -1) : text
  if (shape === '=') return { ...VALUE, name, always }
  if (shape === '?') return { ...VALUE, name, dropsZero: true }
  if (shape.startsWith('[')) {
    const [element = '', mergeKey] = shape.slice(1, -1).split('|')
    const list = { ...VALUE, name, shape: 'list', ...elementOf(element), dropsZero: true, always } as const
    return mergeKey === undefined ? list : { ...list, mergeKey }
  }
  if (shape.startsWith('{')) {
    return { ...VALUE, name, shape: 'map', ...elementOf(shape.slice(1, -1)), dropsZero: true, always }
  }
  const element = elementOf(shape)
  const zero = element.element === 'quantity' ? '0' : true
  return { ...VALUE, name, shape: element.element, ...element, absent: always ? zero : undefined }
}

function elementOf(text: string): Pick<FieldSchema, 'element' | 'struct'> {
  if (text === '') return { element: 'value' }
  if (text === 'q') return { element: 'quantity' }
  return { element: 'struct', struct: structSchema(text) }
}

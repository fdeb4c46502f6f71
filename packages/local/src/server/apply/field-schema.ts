/**
 * What server-side apply must know about a field: who may own how much of it. A field without a schema is a scalar, a
 * map whose entries are owned one by one, or a list that is owned as a whole.
 */
export interface FieldSchema {
  /** The map is owned as a whole. */
  readonly atomic?: true
  /** Lists: the fields that tell items apart, or `set` when items are told apart by their values. */
  readonly list?: 'set' | readonly string[]
  /** Values that stand for missing keys of an item. */
  readonly keyDefaults?: Readonly<Record<string, unknown>>
  readonly fields?: Readonly<Record<string, FieldSchema>>
  /** Items of a list, values of a map under names that are not in `fields`. */
  readonly items?: FieldSchema
  /** What a definition declares; anything when left out. */
  readonly type?: FieldType
  /** Names that are not in `fields` are refused. */
  readonly closed?: true
}

/** Types that an applied value is checked for. */
export type FieldType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'scalar'

/** Whatever is in a map that a definition says nothing about: names in it are the users'. */
export const FREE: FieldSchema = free()

function free(): FieldSchema {
  const schema: { items?: FieldSchema } = {}
  schema.items = schema
  return schema
}

/** Schema of a map's field. */
export function fieldOf(schema: FieldSchema | undefined, name: string): FieldSchema | undefined {
  return schema?.fields !== undefined && Object.hasOwn(schema.fields, name) ? schema.fields[name] : schema?.items
}

/** Whether a field's name is the schema's: users' own names are owned besides what is below them. */
export function isNamed(schema: FieldSchema | undefined, name: string): boolean {
  return schema?.items === undefined || (schema.fields !== undefined && Object.hasOwn(schema.fields, name))
}

/** A value that is a JSON object. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A map whose fields can have different owners. */
export function isGranularMap(value: unknown, schema: FieldSchema | undefined): value is Record<string, unknown> {
  return isMap(value) && schema?.atomic !== true
}

/** A list whose items can have different owners. */
export function isKeyedList(value: unknown, schema: FieldSchema | undefined): value is unknown[] {
  return Array.isArray(value) && schema?.list !== undefined
}

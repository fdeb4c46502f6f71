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
  /** Items of a list, values of a map. */
  readonly items?: FieldSchema
}

/** Schema of a map's field. */
export function fieldOf(schema: FieldSchema | undefined, name: string): FieldSchema | undefined {
  return schema?.fields !== undefined && Object.hasOwn(schema.fields, name) ? schema.fields[name] : schema?.items
}

/** A map whose fields can have different owners. */
export function isGranularMap(value: unknown, schema: FieldSchema | undefined): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && schema?.atomic !== true
}

/** A list whose items can have different owners. */
export function isKeyedList(value: unknown, schema: FieldSchema | undefined): value is unknown[] {
  return Array.isArray(value) && schema?.list !== undefined
}

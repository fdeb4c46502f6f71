import { z } from 'zod'

/** A rule in the Common Expression Language that a server checks. */
export interface ServerCheck {
  readonly rule: string
  readonly message: string
}

/**
 * What a CustomResourceDefinition says of a value beyond its type: what zod cannot express, or checks with code of ours
 * that a server does not run.
 */
export interface ServerRules {
  /** Said by `kubectl explain`. */
  readonly description?: string
  readonly checks?: readonly ServerCheck[]
  /** Stands in the place of what would be derived from the zod schema. */
  readonly schema?: Readonly<Record<string, unknown>>
  readonly minProperties?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** The fields that tell the items of a list apart. */
  readonly listKeys?: readonly string[]
  /** No item of the list may stand twice. */
  readonly set?: boolean
  /** Server-side apply owns an object as a whole, not field by field. */
  readonly atomic?: true
  /** Of the object's fields: what a server puts where they are left out. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>
  /** Of the object's fields: those that zod requires, and the server's structure leaves to a check. */
  readonly requiredByCheck?: readonly string[]
  /** Of the object's fields: those that an update may not change. */
  readonly immutable?: readonly string[]
  /** Of the object's fields: descriptions. */
  readonly fields?: Readonly<Record<string, string>>
  /** What else the dialect needs, where its objects are to pass a server. */
  readonly dialect?: DialectRules
}

/** What of an object a server must keep, or leave alone, until a webhook has translated it. */
export interface DialectRules {
  /** Fields that only the dialect has. */
  readonly fields?: readonly string[]
  /** Fields of the object at this path below are written in this one. */
  readonly lifts?: readonly string[]
  /** Fields that get no default: the webhook must see whether they were written. */
  readonly undefaulted?: readonly string[]
  /** Defaults that only the dialect needs. */
  readonly defaults?: Readonly<Record<string, string>>
}

/** The rules of each schema that has some. */
export const serverRules: z.core.$ZodRegistry<ServerRules> = z.registry<ServerRules>()

/** Attaches rules to a schema that was made in place, and returns it. One that others use too would share them. */
export function withServerRules<T extends z.ZodType>(schema: T, rules: ServerRules): T {
  ;(serverRules as z.core.$ZodRegistry<ServerRules, z.ZodType>).add(schema, rules)
  return schema
}

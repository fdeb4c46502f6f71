import { z } from 'zod'
import { type ServerCheck, withServerRules } from './server-rules.ts'

/** What Kubernetes may demand of a list. */
export interface ListRules {
  readonly min?: number
  readonly max?: number
  /** The fields that tell the items apart (`x-kubernetes-list-map-keys`), with the value they have when left out. */
  readonly keys?: Readonly<Record<string, unknown>>
  /** No item may stand twice (`x-kubernetes-list-type: set`). */
  readonly set?: boolean
  /** Rules of a server that the element's schema checks here. */
  readonly checks?: readonly ServerCheck[]
}

/** Key of a list whose items are told apart by `name`. */
export const BY_NAME: Readonly<Record<string, unknown>> = { name: undefined }

/**
 * A list with rules. Unlike zod's own limits they do not stop at the first fault: all items are examined even if there
 * are too many of them.
 */
export function list<T>(element: z.ZodType<T>, rules: ListRules = {}): z.ZodType<T[]> {
  const { min, max, keys, set, checks } = rules
  const array = z.array(element)
  if (min === undefined && max === undefined && keys === undefined && set !== true) return array
  const checked = array.superRefine(
    (items: readonly unknown[], context) => {
      if (!Array.isArray(items)) return
      if (max !== undefined && items.length > max) {
        fault(context, [], 'too-many', `expected at most ${max} items, found ${items.length}`)
      }
      if (min !== undefined && items.length < min) {
        fault(context, [], 'too-few', `expected at least ${min} ${min === 1 ? 'item' : 'items'}, found ${items.length}`)
      }
      if (keys !== undefined) checkKeys(items, keys, context)
      if (set === true) checkSet(items, context)
    },
    { when: () => true },
  )
  return withServerRules(checked, {
    ...(min !== undefined && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
    ...(keys !== undefined && { listKeys: Object.keys(keys) }),
    ...(set === true && { set }),
    ...(checks !== undefined && { checks }),
  })
}

function checkKeys(items: readonly unknown[], keys: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const seen = new Map<string, number>()
  const names = Object.keys(keys)
  items.forEach((item, index) => {
    if (typeof item !== 'object' || item === null) return
    const values = names.map((name) => (item as Record<string, unknown>)[name] ?? keys[name])
    if (values.includes(undefined)) return
    const key = JSON.stringify(values)
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else {
      const what = names.map((name, at) => `${name} ${JSON.stringify(values[at])}`).join(', ')
      fault(context, [index], 'duplicate-key', `${what} is there already, in item ${first}; expected each only once`)
    }
  })
}

function checkSet(items: readonly unknown[], context: z.RefinementCtx): void {
  const seen = new Set<unknown>()
  items.forEach((item, index) => {
    if (seen.has(item)) {
      fault(context, [index], 'duplicate-key', `${JSON.stringify(item)} is there already; expected each only once`)
    }
    seen.add(item)
  })
}

function fault(context: z.RefinementCtx, path: (string | number)[], code: string, message: string): void {
  context.addIssue({ code: 'custom', path, message, params: { code } })
}

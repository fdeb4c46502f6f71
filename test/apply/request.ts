import type { Resource } from '@trainjob/kube'

/** One request about the object of a scenario. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly sub?: 'status' | 'scale'
  readonly query?: Readonly<Record<string, string>>
  readonly type?: string
  readonly agent?: string
  /**
   * An object without apiVersion, kind and name gets them. `$uid` and `$version` in it stand for those of the object.
   */
  readonly body?: unknown
  /** The body is the object as it is now, changed. */
  readonly change?: (live: Live) => unknown
}

export type Live = Readonly<Record<string, unknown>>

/** Requests about one object, one after the other. */
export interface Scenario {
  readonly name: string
  readonly resource: Resource
  readonly requests: readonly Request[]
}

const TYPES = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

export type More = Pick<Request, 'sub' | 'agent' | 'query'>

/** Server-side apply by a manager. */
export function apply(fieldManager: string, body: unknown, more: More & { readonly force?: boolean } = {}): Request {
  const { force, query, ...rest } = more
  const forced = force === undefined ? {} : { force: String(force) }
  return { method: 'PATCH', type: TYPES.apply, ...rest, query: { fieldManager, ...forced, ...query }, body }
}

/** POST by a manager. */
export function create(fieldManager: string, body: unknown, more: More = {}): Request {
  return { method: 'POST', ...more, query: { fieldManager, ...more.query }, body }
}

/** PATCH of another type by a manager. */
export function patch(
  type: Exclude<keyof typeof TYPES, 'apply'>,
  fieldManager: string,
  body: unknown,
  more: More = {},
): Request {
  return { method: 'PATCH', type: TYPES[type], ...more, query: { fieldManager, ...more.query }, body }
}

/** A JSON merge patch by a manager. */
export function merge(fieldManager: string, body: unknown, more: More = {}): Request {
  return patch('merge', fieldManager, body, more)
}

/** PUT of the object as it is now, changed, by a manager. */
export function put(fieldManager: string, change: (live: Live) => unknown, more: More = {}): Request {
  return { method: 'PUT', ...more, query: { fieldManager, ...more.query }, change }
}

export const GET: Request = { method: 'GET' }
export const DELETE: Request = { method: 'DELETE' }
export const DRY_RUN: More = { query: { dryRun: 'All' } }

/** The object with a field, `spec.color`, set. */
export function set(object: Live, path: string, to: unknown): Live {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...object, [head]: to }
  return { ...object, [head]: set((object[head] ?? {}) as Live, rest.join('.'), to) }
}

/** Scenarios of one kind, by name. */
export function scenarios(resource: Resource, all: Readonly<Record<string, readonly Request[]>>): readonly Scenario[] {
  return Object.entries(all).map(([name, requests]) => ({ name: `${resource.plural}: ${name}`, resource, requests }))
}

import type { KubeList, KubeObject } from '@trainjob/kube'
import type { ApiCall } from './api-call.ts'
import type { ApiResponse, ServerEvent } from './api-response.ts'
import { mapEvents } from './watch/map-events.ts'

/** What top-level fields are called in the store and by clients: each name of a pair leads to the other. */
export type FieldNames = ReadonlyMap<string, string>

/** An object whose fields have the other names. */
export function withOtherNames<T extends object>(object: T, names: FieldNames): T {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value])) as T
}

/** The body of a request, whatever kind of patch it is, in the names of the store. */
export function bodyInStoredNames({ body, headers }: Pick<ApiCall, 'body' | 'headers'>, names: FieldNames): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (!Array.isArray(body)) return withOtherNames(body, names)
  if (headers['content-type']?.startsWith('application/json-patch+json') !== true) return body
  return body.map((operation: { path?: unknown; from?: unknown } | null) => ({
    ...operation,
    ...(typeof operation?.path === 'string' && { path: pointer(operation.path, names) }),
    ...(typeof operation?.from === 'string' && { from: pointer(operation.from, names) }),
  }))
}

/** The path of a field, which begins at the top: `regarding.name`, `series.count`. */
export function pathWithOtherNames(path: string, names: FieldNames): string {
  return path.replace(/^[^.[]+/, (first) => names.get(first) ?? first)
}

function pointer(text: string, names: FieldNames): string {
  const [root = '', name = '', ...rest] = text.split('/')
  return text === '' ? text : [root, names.get(name) ?? name, ...rest].join('/')
}

/** An answer whose objects, in rows of tables too, have the names that clients know. */
export function inClientsNames(response: ApiResponse, kind: string, names: FieldNames): ApiResponse {
  const { body } = response
  const named = <T>(value: T): T => {
    const object = value as Partial<KubeObject> & { rows?: readonly object[] }
    if (object.rows !== undefined) return { ...value, rows: object.rows.map(namedRow) }
    return object.kind === kind ? (withOtherNames(object, names) as T) : value
  }
  const namedRow = (row: object & { object?: object | null }): object =>
    row.object ? { ...row, object: named(row.object) } : row
  if (body.type === 'json') {
    const value = body.value as KubeObject & Partial<KubeList<KubeObject>>
    const answered = Array.isArray(value.items) ? { ...value, items: value.items.map(named) } : named(value)
    return { ...response, body: { ...body, value: answered } }
  }
  if (body.type === 'list') {
    const { member } = body
    return { ...response, body: { ...body, member: (object) => namedRow(member(object)) } }
  }
  if (body.type !== 'events') return response
  const namedEvent = ({ type, object }: ServerEvent): ServerEvent => ({ type, object: named(object) })
  return { ...response, body: { ...body, batches: mapEvents(body.batches, namedEvent) } }
}

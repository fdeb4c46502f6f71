import type { TransportRequest } from '@trainjob/kube'
import type { Caller } from './caller.ts'
import { badRequest } from './failures.ts'
import { booleanOf, type Query } from './query.ts'
import type { Route } from './route.ts'

/** One request whose path was understood. The body is the server's own: nobody else holds a part of it. */
export interface ApiCall extends Route {
  /** Name of the resource's collection in the store. */
  readonly collection: string
  readonly method: TransportRequest['method']
  readonly query: Query
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal?: AbortSignal
  /** The administrator when left out. */
  readonly caller?: Caller
}

/** What every write may say in its query. */
export interface WriteParameters {
  readonly dryRun: boolean
  /** Who owns the fields that the write sets. */
  readonly manager: string
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
  /** Only server-side apply: take fields away from their owners. */
  readonly force: boolean
  /** What the answer is to warn of; each text once. */
  readonly warnings: Set<string>
}

/** Throws `ApiFailure` 400. */
export function writeParametersOf(call: Pick<ApiCall, 'query' | 'headers'>): WriteParameters {
  const { dryRun, fieldManager, fieldValidation = 'Warn', force } = call.query
  if (dryRun !== undefined && dryRun !== '' && dryRun !== 'All') {
    throw badRequest(`dryRun: Unsupported value: "${dryRun}": supported values: "All"`)
  }
  if (fieldValidation !== 'Strict' && fieldValidation !== 'Warn' && fieldValidation !== 'Ignore') {
    throw badRequest(
      `fieldValidation: Unsupported value: "${fieldValidation}": supported values: "Ignore", "Strict", "Warn"`,
    )
  }
  const agent = call.headers['user-agent'] ?? 'unknown'
  return {
    dryRun: dryRun === 'All',
    manager: fieldManager !== undefined && fieldManager !== '' ? fieldManager : (agent.split('/', 1)[0] ?? 'unknown'),
    fieldValidation,
    force: booleanOf(force),
    warnings: new Set(),
  }
}

import type { TransportRequest } from '@trainjob/kube'
import type { ApiFailure } from './api-failure.ts'
import type { Caller } from './caller.ts'
import type { Duplicates } from './decode/duplicates.ts'
import { booleanOf, type Query } from './query.ts'
import type { Route } from './route.ts'
import { checkWriteOptions, managerOf } from './write-options.ts'

/** One request whose path was understood. The body is the server's own: nobody else holds a part of it. */
export interface ApiCall extends Route {
  /** Name of the resource's collection in the store. */
  readonly collection: string
  readonly method: TransportRequest['method']
  readonly query: Query
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** What the body said more than once. */
  readonly duplicates?: Duplicates | undefined
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
  readonly duplicates?: Duplicates | undefined
  /** How `Strict` refuses what `text` says; as an object that cannot be handled when left out. */
  readonly refusal?: (text: string) => ApiFailure
}

/** Throws `ApiFailure` 422. */
export function writeParametersOf(call: Pick<ApiCall, 'query' | 'headers' | 'method' | 'duplicates'>): WriteParameters {
  checkWriteOptions(call)
  const { dryRun, fieldValidation, force } = call.query
  return {
    dryRun: dryRun === 'All',
    manager: managerOf(call),
    fieldValidation: (fieldValidation || 'Warn') as WriteParameters['fieldValidation'],
    force: booleanOf(force),
    duplicates: call.duplicates,
    warnings: new Set(),
  }
}

import { apiVersionOf } from '@trainjob/kube'
import { isStoreError } from '../../store/store-error.ts'
import type { ApiCall } from '../api-call.ts'
import type { ApiResponse, EventBatch, ServerEvent } from '../api-response.ts'
import { expired } from '../failures.ts'
import { checkListParameters, wantsInitialEvents } from '../list-parameters.ts'
import { booleanOf, integerOf } from '../query.ts'
import { parseVersion } from '../requested-version.ts'
import { selectionOf } from '../selectors/selection.ts'
import type { ServedResource } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { watchStream } from '../watch/watch-stream.ts'

/** Without `timeoutSeconds`, or with 0, a watch ends after this; clients open another. */
const DEFAULT_TIMEOUT_SECONDS = 45 * 60

/** GET of a collection with `watch`. A start that is too old is an answer of one ERROR event, not a failure. */
export function watchObjects({ store, clock }: ServerContext, call: ApiCall): ApiResponse {
  const { resource, query, collection, namespace, signal } = call
  checkListParameters(query, true)
  const selection = selectionOf(query, resource)
  const version = parseVersion(query.resourceVersion)
  const initialEvents = wantsInitialEvents(query)
  const wanted = query.sendInitialEvents === undefined ? version === undefined || version === 0 : initialEvents
  const fromNow = wanted || version === undefined || version === 0
  const prefix = namespace === undefined ? '' : `${namespace}/`
  const bookmarks = booleanOf(query.allowWatchBookmarks)

  const initial: ServerEvent[] = []
  if (wanted) {
    for (const object of store.list(collection, { prefix }).items) {
      if (selection === undefined || selection(object)) initial.push({ type: 'ADDED', object })
    }
    if (bookmarks && (initialEvents || version === 0)) initial.push(bookmark(resource, store.version, true))
  }
  try {
    const batches = watchStream({
      store,
      clock,
      collection,
      prefix,
      selection,
      initial,
      since: fromNow ? store.version : version,
      timeoutMs: (integerOf(query.timeoutSeconds) || DEFAULT_TIMEOUT_SECONDS) * 1000,
      ...(bookmarks && { bookmark: (at: number) => bookmark(resource, at, false) }),
      ...(signal !== undefined && { signal }),
    })
    return { status: 200, headers: {}, body: { type: 'events', batches } }
  } catch (error) {
    if (!isStoreError(error, 'expired')) throw error
    return { status: 200, headers: {}, body: { type: 'events', batches: single(expired(error.message).body) } }
  }
}

async function* single(object: unknown): AsyncGenerator<EventBatch> {
  yield { take: () => [{ type: 'ERROR', object }] }
}

/** Tells how far a client has seen; the marked one closes the initial events. */
function bookmark(resource: ServedResource, version: number, initialEventsEnd: boolean): ServerEvent {
  return {
    type: 'BOOKMARK',
    object: {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource),
      metadata: {
        resourceVersion: String(version),
        ...(initialEventsEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
      },
    },
  }
}

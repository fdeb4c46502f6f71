import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import type { StorePage } from '../../store/store.ts'
import { isStoreError } from '../../store/store-error.ts'
import type { ApiCall } from '../api-call.ts'
import type { ApiResponse } from '../api-response.ts'
import { readContinueToken, writeContinueToken } from '../continue-token.ts'
import { badRequest, expired } from '../failures.ts'
import { checkListParameters } from '../list-parameters.ts'
import { integerOf } from '../query.ts'
import { requestedVersion } from '../requested-version.ts'
import { type Selection, selectionOf } from '../selectors/selection.ts'
import type { ServerContext } from '../server-context.ts'

/** What a list shows, before it is wrapped. */
interface Found {
  readonly items: readonly KubeObject[]
  readonly version: number
  /** Key of the last item when more may follow. */
  readonly next: string | undefined
  readonly remaining: number | undefined
}

/** GET of a collection, in pages when `limit` is given. */
export function listObjects(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, query, collection } = call
  checkListParameters(query, false)
  const selection = selectionOf(query, resource)
  const version = requestedVersion(query, context.store)
  // any state is good enough for version 0, and then it comes whole
  const limit = version === 0 && !query.continue ? undefined : integerOf(query.limit) || undefined
  const token = query.continue ? readContinueToken(query.continue) : undefined
  if (token !== undefined && version !== undefined && version > 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const prefix = call.namespace === undefined ? '' : `${call.namespace}/`
  const exact = query.resourceVersionMatch === 'Exact' ? version : undefined
  const at = token === undefined ? exact : token.version < 0 ? undefined : token.version
  const read = (after: string | undefined, count: number | undefined): StorePage =>
    context.store.list(collection, {
      prefix,
      ...(after !== undefined && { after }),
      ...(count !== undefined && { limit: count }),
      ...(at !== undefined && { version: at }),
    })
  let found: Found
  try {
    found = select(read, token?.after, limit, selection)
  } catch (error) {
    if (!isStoreError(error, 'expired')) throw error
    if (token === undefined) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(CONTINUE_EXPIRED, writeContinueToken({ version: -1, after: token.after }))
  }
  const value = {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: String(found.version),
      ...(found.next === undefined
        ? resource.custom === true && { continue: '' }
        : { continue: writeContinueToken({ version: found.version, after: found.next }) }),
      ...(found.next !== undefined && found.remaining !== undefined && { remainingItemCount: found.remaining }),
    },
    items: found.items,
  }
  return { status: 200, headers: {}, body: { type: 'json', value, bareItems: resource.custom !== true } }
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** Reads on until `limit` objects were selected; without a selection one read is enough. */
function select(
  read: (after: string | undefined, count: number | undefined) => StorePage,
  start: string | undefined,
  limit: number | undefined,
  selection: Selection,
): Found {
  if (selection === undefined || limit === undefined) {
    const page = read(start, limit)
    const items = selection === undefined ? page.items : page.items.filter(selection)
    return { items, version: page.version, next: page.next, remaining: page.remaining }
  }
  const items: KubeObject[] = []
  for (let after = start; ; ) {
    const page = read(after, limit)
    for (const item of page.items) {
      if (!selection(item)) continue
      // one more than asked for: only then does a next page have something to show
      if (items.length === limit) {
        return { items, version: page.version, next: keyOf(items.at(-1) as KubeObject), remaining: undefined }
      }
      items.push(item)
    }
    if (page.next === undefined) return { items, version: page.version, next: undefined, remaining: undefined }
    after = page.next
  }
}

function keyOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name}`
}

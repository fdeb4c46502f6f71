import { randomBytes } from 'node:crypto'
import type { Clock, Transport, TransportRequest } from '@trainjob/kube'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { Admission } from './admission.ts'
import { ApiFailure } from './api-failure.ts'
import { type ApiResponse, jsonResponse, textResponse } from './api-response.ts'
import { ADMIN, type Caller } from './caller.ts'
import { serveDefinitions } from './crd/serve-definitions.ts'
import type { Duplicates } from './decode/duplicates.ts'
import { dispatch } from './dispatch.ts'
import { openStream } from './exec/open-stream.ts'
import type { OpenedStream } from './exec/opened-stream.ts'
import type { StreamSource } from './exec/stream-source.ts'
import { unauthorized, unforeseen } from './failures.ts'
import { createTokenAuthority } from './http/token-authority.ts'
import type { Ids } from './ids.ts'
import { inProcessTransport } from './in-process-transport.ts'
import type { LogSource } from './log-source.ts'
import { createOpenApi } from './openapi/openapi.ts'
import { createRegistry } from './registry.ts'
import { PageNotFound, routeOf } from './route.ts'
import type { ServedResource } from './served-resource.ts'
import { createTokenKeyring, type TokenKeyring } from './token-keyring.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** What an API server is made of. */
export interface ApiServerOptions {
  readonly store: Store
  readonly resources: readonly ServedResource[]
  readonly admission: Admission
  readonly clock: Clock
  readonly ids: Ids
  readonly logs: LogSource
  /** Commands in running containers; refused when left out. */
  readonly streams?: StreamSource | undefined
}

/** The API server of an embedded cluster. */
export interface ApiServer {
  /** Requests in process: no sockets, no text. */
  readonly transport: Transport
  /**
   * Serves one request for a listener, which has read the body as JSON and gives it away: the server may keep parts of
   * it; `duplicates` is what its text said twice. Never rejects: failures are answers. Whoever is in this process is the administrator.
   */
  handle(request: TransportRequest, caller?: Caller, duplicates?: Duplicates): Promise<ApiResponse>
  /**
   * Finds what a connection is about that a listener would upgrade: exec, attach or portforward of a pod.
   * Rejects with `ApiFailure`, which is then the answer.
   *
   * @param path escaped, without query
   */
  openStream(path: string, query: URLSearchParams, caller?: Caller): Promise<OpenedStream>
  /** Of service accounts. A listener adds the authority that it keeps between starts. */
  readonly tokens: TokenKeyring
  /** All kinds that are served now, those of definitions too. */
  served(): readonly ServedResource[]
  /** Throws `ApiFailure` 404 when nothing that takes a body is served under the path. */
  checkPath(path: string): void
  /**
   * Resolves when what has been written would survive a crash; `undefined` when it would already. Nothing may leave the
   * process before: not the answer to a read, not an event.
   */
  settled(): Promise<void> | undefined
}

/**
 * An API server over a store; it holds nothing else.
 *
 * @example
 * import { systemClock } from '@trainjob/kube'
 *
 * const server = createApiServer({
 *   store: createMemoryStore(),
 *   resources: RESOURCES,
 *   admission: createAdmission(),
 *   clock: systemClock,
 *   ids: randomIds,
 *   logs: { open: async function* () {} },
 * })
 * const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } }
 * const { status } = await server.transport.request({ method: 'POST', path: '/api/v1/namespaces', body })
 * status // => 201
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const registry = createRegistry(options.resources)
  serveDefinitions(options.store, registry)
  const { store, ids, streams } = options
  const webhooks = createWebhooks({ store, registry, ids, streams })
  const context = { ...options, registry, openApi: createOpenApi(), webhooks }
  const tokens = createTokenKeyring(() => createTokenAuthority(randomBytes(32).toString('hex')))
  const inProcess: Caller = { ...ADMIN, tokens }
  const handle: ApiServer['handle'] = async (request, caller = inProcess, duplicates = undefined) => {
    try {
      checkAccount(context, caller)
      const response = await dispatch(context, request, caller, duplicates)
      // an answer is a promise that a crash does not break
      if (request.method !== 'GET') await context.store.settled()
      return response
    } catch (error) {
      return failureResponse(error)
    }
  }
  return {
    handle,
    tokens,
    settled: () => context.store.settled(),
    served: () => registry.resources,
    checkPath: (path) => void routeOf(path, context.registry),
    transport: inProcessTransport(handle),
    async openStream(path, query, caller = inProcess) {
      checkAccount(context, caller)
      return openStream(context, path, query, caller)
    },
  }
}

/** A token outlives its account and its pod, but not what it may do. */
function checkAccount({ store }: Pick<ApiServerOptions, 'store'>, { serviceAccount: shown }: Caller): void {
  if (shown === undefined) return
  const account = store.get('serviceaccounts', `${shown.namespace}/${shown.name}`)
  if (account?.metadata.uid !== shown.uid) throw unauthorized()
  const { pod } = shown
  if (pod !== undefined && store.get('pods', `${shown.namespace}/${pod.name}`)?.metadata.uid !== pod.uid) {
    throw unauthorized()
  }
}

/**
 * A failure as the answer that says it.
 *
 * @example
 * failureResponse(new StoreError('conflict', 'it is too late')).status // => 500
 */
export function failureResponse(error: unknown): ApiResponse {
  if (error instanceof PageNotFound) return textResponse(error.message, error.httpCode)
  if (error instanceof ApiFailure) return jsonResponse(error.body, error.httpCode, error.headers)
  const message = error instanceof Error ? error.message : String(error)
  const what = error instanceof StoreError ? 'the store refused' : 'an error on the server'
  const { body } = unforeseen(`Internal error occurred: ${what}: ${message}`, error)
  return jsonResponse({ ...body, reason: 'InternalError' }, 500)
}

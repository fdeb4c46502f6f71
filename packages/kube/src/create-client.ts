import type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  LogOptions,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.ts'
import { isExpired, KubeError } from './error.ts'
import type { KubeList, KubeObject } from './object.ts'
import { collectionPath, objectPath } from './object-path.ts'
import { queryOf } from './query.ts'
import { apiVersionOf, type ObjectKey, pathOf, type Resource } from './resource.ts'
import { apiErrorOf, apiErrorOfEvent, isStatus } from './status.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { parseWarnings } from './warnings.ts'

const PAGE_SIZE = 500
const JSON_TYPE = 'application/json'
const PATCH_TYPES: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}
const POD_LOG: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }

/** What a client says about itself. */
export interface ClientOptions {
  /** Used by every write that names no other. Server-side apply needs one. */
  readonly fieldManager?: string
}

/**
 * A typed client of plain JSON objects over any transport. Keeps no state of its own.
 *
 * @example
 * import { ConfigMaps } from '@trainjob/api'
 *
 * const client = createClient(httpTransport(await loadClusterConfig()), { fieldManager: 'my-tool' })
 * const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'colours', namespace: 'default' } }
 * await client.create(ConfigMaps, { ...object, data: { sky: 'blue' } })
 * const { data } = await client.get(ConfigMaps, { namespace: 'default', name: 'colours' })
 * data // => { sky: 'blue' }
 * await client.close()
 */
export function createClient(transport: Transport, defaults: ClientOptions = {}): Client {
  async function send(request: TransportRequest): Promise<TransportResponse> {
    const { signal } = request
    if (signal?.aborted) throw aborted(request, signal)
    let response: TransportResponse
    try {
      response = await transport.request(request)
    } catch (error) {
      throw signal?.aborted ? aborted(request, signal) : error
    }
    if (response.status >= 400) throw await apiErrorOf(response)
    return response
  }

  async function sendForJson(request: TransportRequest): Promise<unknown> {
    const response = await send(request)
    try {
      return await response.json()
    } catch (error) {
      throw request.signal?.aborted ? aborted(request, request.signal) : error
    }
  }

  async function write<T extends KubeObject>(
    request: Omit<TransportRequest, 'query' | 'signal'>,
    options: WriteOptions,
    force?: boolean,
  ): Promise<T> {
    const response = await send({
      ...request,
      query: queryOf({
        force,
        fieldManager: options.fieldManager ?? defaults.fieldManager,
        fieldValidation: options.fieldValidation,
        dryRun: options.dryRun === true ? 'All' : undefined,
      }),
      ...signalOf(options),
    })
    const warning = response.headers.warning
    if (warning !== undefined && options.onWarning !== undefined) {
      for (const text of parseWarnings(warning)) options.onWarning(text)
    }
    return (await response.json()) as T
  }

  async function list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const body = (await sendForJson({
      method: 'GET',
      path: pathOf(resource, namespaceOf(options)),
      query: listQuery(options),
      headers: { accept: JSON_TYPE },
      ...signalOf(options),
    })) as KubeList<T>
    const items = body.items ?? []
    return items.length === 0 || items[0]?.kind !== undefined ? { ...body, items } : withKinds(resource, body, items)
  }

  return {
    async get<T extends KubeObject>(
      resource: Resource<T>,
      key: ObjectKey,
      options: CallOptions & { subresource?: string } = {},
    ) {
      return (await sendForJson({
        method: 'GET',
        path: objectPath(resource, key, options.subresource),
        headers: { accept: JSON_TYPE },
        ...signalOf(options),
      })) as T
    },

    list,

    async *listAll<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}) {
      let page: ListOptions = { ...options, limit: options.limit ?? PAGE_SIZE }
      while (true) {
        let next: string | undefined
        try {
          const body = await list(resource, page)
          yield* body.items
          next = body.metadata.continue
        } catch (error) {
          // The server forgot this list's version and offers to go on with a newer one. A reader that has already seen
          // the first pages is better served by that than by an error; a reflector pages by itself and starts anew.
          next = inconsistentContinue(error)
          if (next === undefined || page.continue === next) throw error
        }
        if (!next) return
        const { resourceVersion: _, resourceVersionMatch: __, ...rest } = page
        page = { ...rest, continue: next }
      }
    },

    async *watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}) {
      const request: TransportRequest = {
        method: 'GET',
        path: pathOf(resource, namespaceOf(options)),
        query: watchQuery(options),
        headers: { accept: JSON_TYPE },
        stream: true,
        ...signalOf(options),
      }
      const response = await send(request)
      try {
        for await (const event of response.events()) {
          const { type, object } = event as { type: string; object: unknown }
          if (type === 'ERROR') throw apiErrorOfEvent(object)
          yield event as WatchEvent<T>
        }
      } catch (error) {
        throw options.signal?.aborted ? aborted(request, options.signal) : error
      }
      if (options.signal?.aborted) throw aborted(request, options.signal)
    },

    async create<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}) {
      const path =
        options.subresource === undefined
          ? collectionPath(resource, object.metadata)
          : objectPath(resource, object.metadata, options.subresource)
      return write<T>({ method: 'POST', path, headers: bodyHeaders(JSON_TYPE), body: object }, options)
    },

    async update<T extends KubeObject>(resource: Resource<T>, object: T, options: WriteOptions = {}) {
      const path = objectPath(resource, object.metadata, options.subresource)
      return write<T>({ method: 'PUT', path, headers: bodyHeaders(JSON_TYPE), body: object }, options)
    },

    async patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options: WriteOptions = {}) {
      const path = objectPath(resource, key, options.subresource)
      const body = patch.type === 'json' ? patch.ops : patch.body
      const force = patch.type === 'apply' ? patch.force : undefined
      return write<T>({ method: 'PATCH', path, headers: bodyHeaders(PATCH_TYPES[patch.type]), body }, options, force)
    },

    async delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: DeleteOptions = {}) {
      const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun } = options
      const answer = await sendForJson({
        method: 'DELETE',
        path: objectPath(resource, key),
        headers: bodyHeaders(JSON_TYPE),
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          ...(propagationPolicy !== undefined && { propagationPolicy }),
          ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
          ...(preconditions !== undefined && { preconditions }),
          ...(dryRun === true && { dryRun: ['All'] }),
        },
        ...signalOf(options),
      })
      return isStatus(answer) ? undefined : (answer as T)
    },

    async *logs(pod: ObjectKey, options: LogOptions = {}) {
      const request: TransportRequest = {
        method: 'GET',
        path: objectPath(POD_LOG, pod, 'log'),
        query: logQuery(options),
        // a pod's log is text, a failure is JSON
        headers: { accept: 'text/plain, application/json, */*' },
        ...(options.follow === true && { stream: true }),
        ...signalOf(options),
      }
      const response = await send(request)
      try {
        yield* response.chunks()
      } catch (error) {
        throw options.signal?.aborted ? aborted(request, options.signal) : error
      }
      if (options.signal?.aborted) throw aborted(request, options.signal)
    },

    close: () => transport.close(),
  }
}

function aborted(request: TransportRequest, signal: AbortSignal): KubeError {
  return new KubeError('aborted', `${request.method} ${request.path} was aborted by the caller`, {
    cause: signal.reason,
  })
}

function signalOf(options: CallOptions): { signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal }
}

function namespaceOf(options: { namespace?: string | undefined }): { namespace?: string } {
  return options.namespace === undefined ? {} : { namespace: options.namespace }
}

function bodyHeaders(type: string): Record<string, string> {
  return { accept: JSON_TYPE, 'content-type': type }
}

function listQuery(options: ListOptions): Record<string, string> {
  const { labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, limit } = options
  return queryOf({
    labelSelector,
    fieldSelector,
    resourceVersion,
    resourceVersionMatch,
    limit,
    continue: options.continue,
  })
}

function watchQuery(options: WatchOptions): Record<string, string> {
  const { labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks, timeoutSeconds } = options
  return queryOf({
    labelSelector,
    fieldSelector,
    resourceVersion,
    watch: true,
    allowWatchBookmarks,
    timeoutSeconds,
  })
}

function logQuery(options: LogOptions): Record<string, string> {
  const { signal: _, ...parameters } = options
  return queryOf({ ...parameters })
}

/** Lists of built-in kinds leave `apiVersion` and `kind` out of their items; everyone else relies on them. */
function withKinds<T extends KubeObject>(resource: Resource<T>, body: KubeList<T>, items: readonly T[]): KubeList<T> {
  const apiVersion = apiVersionOf(resource)
  return { ...body, items: items.map((item) => ({ ...item, apiVersion, kind: resource.kind })) }
}

function inconsistentContinue(error: unknown): string | undefined {
  if (!isExpired(error)) return undefined
  return (error as { status: { metadata?: { continue?: string } } }).status.metadata?.continue || undefined
}

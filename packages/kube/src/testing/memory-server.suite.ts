import { ConnectionError } from '../error.ts'
import type { KubeObject, Status } from '../object.ts'
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts'

/** An object of the tests' only kind. */
export interface Thing extends KubeObject {
  spec?: { value: number }
}

/** Where the tests' objects are served. */
export const Things = {
  group: 'example.test',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  namespaced: true,
} as const

interface Recorded {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Thing
  readonly version: number
}

/** A server of one kind, just real enough to be wrong in every way a server can be. */
export interface MemoryServer {
  readonly transport: Transport
  readonly requests: readonly TransportRequest[]
  readonly version: number
  readonly openWatches: number
  set(namespace: string, name: string, value: number): void
  delete(namespace: string, name: string): void
  state(): ReadonlyMap<string, Thing>
  /** Forgets the history: watches and lists from older versions get 410. */
  compact(): void
  /** Ends every open watch: normally, with a broken connection, or with an ERROR event. */
  endWatches(how: 'end' | 'reset' | 'expire'): void
  bookmark(): void
  /** The next requests fail so, one entry each. */
  failNext(...failures: (Error | Status)[]): void
}

export function expired(message = 'too old resource version'): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', message, code: 410 }
}

export function failure(code: number, reason: string, retryAfterSeconds?: number): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    message: `${reason} of the test`,
    code,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  }
}

interface OpenWatch {
  from: number
  wake: () => void
  ended: 'end' | 'reset' | 'expire' | undefined
  bookmark: boolean
}

export function memoryServer(options: { pageSize?: number } = {}): MemoryServer {
  const objects = new Map<string, Thing>()
  const history: Recorded[] = []
  const watches = new Set<OpenWatch>()
  const requests: TransportRequest[] = []
  const failures: (Error | Status)[] = []
  const snapshots = new Map<number, readonly Thing[]>()
  let version = 1
  let oldest = 1

  function record(type: Recorded['type'], object: Thing): void {
    history.push({ type, object, version })
    for (const watch of watches) watch.wake()
  }

  function list(query: Readonly<Record<string, string>>): TransportResponse {
    const [from, offset] = query.continue?.split(':').map(Number) ?? [version, 0]
    if (from === undefined || offset === undefined || from < oldest) return answer(410, expired())
    const all = snapshots.get(from) ?? [...objects.values()]
    snapshots.set(from, all)
    const end = offset + Math.min(Number(query.limit ?? all.length), options.pageSize ?? all.length + 1)
    return answer(200, {
      apiVersion: 'example.test/v1',
      kind: 'ThingList',
      metadata: { resourceVersion: String(from), ...(end < all.length && { continue: `${from}:${end}` }) },
      items: all.slice(offset, end),
    })
  }

  async function* watch(request: TransportRequest): AsyncGenerator<unknown> {
    const open: OpenWatch = {
      from: Number(request.query?.resourceVersion),
      wake: () => {},
      ended: undefined,
      bookmark: false,
    }
    const onAbort = () => open.wake()
    watches.add(open)
    request.signal?.addEventListener('abort', onAbort)
    try {
      while (true) {
        if (request.signal?.aborted) throw request.signal.reason
        if (open.from < oldest) {
          yield { type: 'ERROR', object: expired() }
          return
        }
        const next = history.find((each) => each.version > open.from)
        if (next !== undefined) {
          open.from = next.version
          yield { type: next.type, object: next.object }
        } else if (open.bookmark) {
          open.bookmark = false
          open.from = version
          yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(version) } } }
        } else if (open.ended === 'end') return
        else if (open.ended === 'reset') throw new ConnectionError('connection reset by the test')
        else if (open.ended === 'expire') {
          yield { type: 'ERROR', object: expired() }
          return
        } else {
          await new Promise<void>((resolve) => {
            open.wake = resolve
          })
        }
      }
    } finally {
      request.signal?.removeEventListener('abort', onAbort)
      watches.delete(open)
    }
  }

  return {
    requests,
    get version() {
      return version
    },
    get openWatches() {
      return watches.size
    },
    transport: {
      async request(request) {
        requests.push(request)
        const failed = failures.shift()
        if (failed instanceof Error) throw failed
        if (failed !== undefined) return answer(failed.code ?? 500, failed)
        const query = request.query ?? {}
        if (query.watch !== 'true') return list(query)
        return { ...answer(200, undefined), events: () => watch(request) }
      },
      close: async () => {},
    },
    set(namespace, name, value) {
      version++
      const key = `${namespace}/${name}`
      const before = objects.get(key)
      const object: Thing = {
        apiVersion: 'example.test/v1',
        kind: 'Thing',
        metadata: {
          namespace,
          name,
          uid: before?.metadata.uid ?? `uid-${version}`,
          resourceVersion: String(version),
          managedFields: [{ manager: 'test' }],
        },
        spec: { value },
      }
      objects.set(key, Object.freeze(object))
      record(before === undefined ? 'ADDED' : 'MODIFIED', object)
    },
    delete(namespace, name) {
      const before = objects.get(`${namespace}/${name}`)
      if (before === undefined) return
      version++
      objects.delete(`${namespace}/${name}`)
      record('DELETED', { ...before, metadata: { ...before.metadata, resourceVersion: String(version) } })
    },
    state: () => objects,
    compact() {
      oldest = version
      history.length = 0
      snapshots.clear()
      for (const each of watches) each.wake()
    },
    endWatches(how) {
      for (const each of watches) {
        each.ended = how
        each.wake()
      }
    },
    bookmark() {
      for (const each of watches) {
        each.bookmark = true
        each.wake()
      }
    },
    failNext: (...next) => failures.push(...next),
  }
}

function answer(status: number, body: unknown): TransportResponse {
  return {
    status,
    headers: {},
    json: async () => body,
    text: async () => JSON.stringify(body),
    chunks: () => {
      throw new Error('no bytes here')
    },
    events: () => {
      throw new Error('no events here')
    },
  }
}

import type { AdmissionHook } from '@trainjob/controller'
import { type Client, type Clock, createClient, type KubeObject, type TransportRequest } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { deepFreeze } from '../../object/deep-freeze.ts'
import { createMemoryStore } from '../../store/memory.ts'
import type { Store } from '../../store/store.ts'
import { createAdmission, type SchemaCheck } from '../admission.ts'
import { type ApiServer, createApiServer } from '../api-server.ts'
import type { StreamSource } from '../exec/stream-source.ts'
import type { Ids } from '../ids.ts'
import type { LogSource } from '../log-source.ts'
import { RESOURCES } from '../resources.ts'

/** Ids that count: `uid-1`, `00001`. */
function countingIds(): Ids {
  let uids = 0
  let suffixes = 0
  return { uid: () => `uid-${++uids}`, suffix: () => String(++suffixes).padStart(5, '0') }
}

/** An API server for tests: shared objects are frozen, time stands still, ids count. */
export interface TestServer {
  readonly server: ApiServer
  readonly client: Client
  readonly store: Store
  readonly clock: Clock & { advance(ms: number): void | Promise<void> }
  /** One request as a client sends it, answered with status, headers and JSON. */
  send(
    method: TransportRequest['method'],
    path: string,
    more?: Partial<TransportRequest>,
  ): Promise<{ status: number; headers: Readonly<Record<string, string>>; body: unknown }>
}

export interface TestServerOptions {
  readonly hooks?: readonly AdmissionHook[]
  readonly schemas?: Readonly<Record<string, SchemaCheck>>
  readonly logs?: LogSource
  readonly streams?: StreamSource
  readonly store?: Store
}

/** Starts with the namespace `default`. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const store = options.store ?? createMemoryStore({ beforeShare: deepFreeze })
  const clock = fakeClock(Date.parse('2026-12-01T09:30:00.500Z'))
  const server = createApiServer({
    store,
    resources: RESOURCES,
    admission: createAdmission(options.hooks, options.schemas),
    clock,
    ids: countingIds(),
    logs: options.logs ?? { open: async function* () {} },
    streams: options.streams,
  })
  const send: TestServer['send'] = async (method, path, more = {}) => {
    const [bare = '', search = ''] = path.split('?')
    const response = await server.transport.request({
      method,
      path: bare,
      query: Object.fromEntries(new URLSearchParams(search)),
      ...more,
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  await send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  return { server, client: createClient(server.transport, { fieldManager: 'test' }), store, clock, send }
}

/** A ConfigMap to write. */
export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...metadata },
    data,
  } as KubeObject
}

import { type Namespace, Namespaces } from '@trainjob/api'
import {
  type Client,
  type Clock,
  createController,
  createInformer,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Resource,
} from '@trainjob/kube'
import { sideBySide } from '../side-by-side.ts'
import { unlessGone } from '../unless-gone.ts'

export interface NamespaceControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** The kinds that live in namespaces now. */
  readonly resources: () => readonly Resource[]
}

/** How long to wait for what has finalizers or a grace period. */
const LOOK_AGAIN_MS = 200

/** Gives new namespaces a service account; empties those that are being deleted, and lets them go once they are empty. */
export function createNamespaceController(options: NamespaceControllerOptions): {
  start(signal: AbortSignal): Promise<void>
} {
  const { client, clock, resources } = options
  const namespaces = createInformer({ client, clock, resource: Namespaces })
  const prepared = new Set<string>()
  const controller = createController({ name: 'namespace', clock })
    .for(namespaces)
    .reconcile(async ({ name }, { signal }) => {
      const namespace = namespaces.store.get({ name })
      if (namespace === undefined) return
      if (namespace.metadata.deletionTimestamp === undefined) return addAccount(name, signal)
      prepared.delete(name)
      const left = await empty(name, signal)
      if (left > 0) return { requeueAfterMs: LOOK_AGAIN_MS }
      await unlessGone(client.update(Namespaces, letGo(namespace), { subresource: 'finalize', signal }))
      return
    })
  return { start: (signal) => controller.run(signal) }

  /** For pods and tokens that name none. */
  async function addAccount(namespace: string, signal: AbortSignal): Promise<void> {
    if (prepared.has(namespace)) return
    try {
      await client.create(ServiceAccounts, serviceAccount(namespace), { signal })
    } catch (error) {
      if (!isAlreadyExists(error) && !isNotFound(error)) throw error
    }
    prepared.add(namespace)
  }

  /** Deletes what is there and says how much there was. */
  async function empty(namespace: string, signal: AbortSignal): Promise<number> {
    let found = 0
    for (const resource of resources()) {
      const { items } = await client.list(resource, { namespace, signal })
      found += items.length
      const going = items.filter((item) => item.metadata.deletionTimestamp === undefined)
      await sideBySide(going, ({ metadata: { name = '' } }) =>
        unlessGone(client.delete(resource, { namespace, name }, { propagationPolicy: 'Background', signal })),
      )
    }
    return found
  }
}

const ServiceAccounts: Resource = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
}

function serviceAccount(namespace: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } }
}

function letGo(namespace: Namespace): Namespace {
  return { ...namespace, spec: { ...namespace.spec, finalizers: [] } }
}

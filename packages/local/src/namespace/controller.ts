import { type Namespace, Namespaces } from '@trainjob/api'
import { type Client, type Clock, createController, createInformer, type Resource } from '@trainjob/kube'
import { sideBySide } from '../side-by-side.ts'
import { unlessGone } from '../unless-gone.ts'

export interface NamespaceControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** The kinds that live in namespaces. */
  readonly resources: readonly Resource[]
}

/** How long to wait for what has finalizers or a grace period. */
const LOOK_AGAIN_MS = 200

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export function createNamespaceController(options: NamespaceControllerOptions): {
  start(signal: AbortSignal): Promise<void>
} {
  const { client, clock, resources } = options
  const namespaces = createInformer({ client, clock, resource: Namespaces })
  const controller = createController({ name: 'namespace', clock })
    .for(namespaces)
    .reconcile(async ({ name }, { signal }) => {
      const namespace = namespaces.store.get({ name })
      if (namespace?.metadata.deletionTimestamp === undefined) return
      const left = await empty(name, signal)
      if (left > 0) return { requeueAfterMs: LOOK_AGAIN_MS }
      await unlessGone(client.update(Namespaces, letGo(namespace), { subresource: 'finalize', signal }))
      return
    })
  return { start: (signal) => controller.run(signal) }

  /** Deletes what is there and says how much there was. */
  async function empty(namespace: string, signal: AbortSignal): Promise<number> {
    let found = 0
    for (const resource of resources) {
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

function letGo(namespace: Namespace): Namespace {
  return { ...namespace, spec: { ...namespace.spec, finalizers: [] } }
}

import type { KubernetesObject } from '@trainjob/api'
import { type Client, isAlreadyExists, isNotFound } from '@trainjob/kube'
import type { CommandIO } from '../../command-io.ts'
import { inApplyOrder } from '../../input/apply-order.ts'
import { resourceOf } from '../../input/resource-of.ts'
import { nameOf } from '../get/kind.ts'

/**
 * Creates what the jobs need beside themselves; an object that is there already, such as a shipped runtime, is
 * replaced. Kinds that the embedded cluster does not serve are passed over with a note.
 */
export async function createObjects(
  client: Client,
  documents: readonly { readonly object: KubernetesObject }[],
  namespaces: Iterable<string>,
  io: Pick<CommandIO, 'signal'>,
  note: (text: string) => void,
): Promise<void> {
  const missing = [...new Set(namespaces)].map((name) => ({
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  }))
  const wanted = inApplyOrder([...missing, ...documents])
  for (const { object } of wanted) {
    const resource = resourceOf(object)
    const { status: _, ...written } = object as KubernetesObject & { status?: unknown }
    const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, ...metadata } = written.metadata
    const fresh = { ...written, metadata }
    try {
      await client.create(resource, fresh, io)
    } catch (error) {
      if (isNotFound(error)) {
        note(`${nameOf(resource, object)} is ignored: the cluster on this machine has no objects of that kind`)
        continue
      }
      if (!isAlreadyExists(error)) throw error
      if (object.kind === 'Namespace') continue
      const key = {
        name: metadata.name ?? '',
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      }
      const { metadata: stored } = await client.get(resource, key, io)
      const resourceVersion = stored.resourceVersion ?? ''
      await client.update(resource, { ...fresh, metadata: { ...metadata, resourceVersion } }, io)
    }
  }
}

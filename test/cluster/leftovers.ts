import { ConfigMaps, JobSets, Jobs, type KubernetesObject, Pods, type ResourceType, Services } from '@trainjob/api'
import type { Client } from '@trainjob/kube'
import { eventually } from './eventually.ts'

const owned: readonly ResourceType<KubernetesObject>[] = [JobSets, Jobs, Pods, ConfigMaps, Services]

/** Names of everything that exists for a job, as `kind/name`. */
export async function belongings(client: Client, name: string): Promise<readonly string[]> {
  const found = await Promise.all(
    owned.map(async (resource) => {
      const { items } = await client.list(resource, { namespace: 'default' })
      return items
        .filter((one) => one.metadata.name === name || one.metadata.name?.startsWith(`${name}-`))
        .map((one) => `${resource.kind}/${one.metadata.name}`)
    }),
  )
  return found.flat()
}

/** Resolves when nothing exists for a job any more. */
export async function allGone(client: Client, name: string): Promise<void> {
  await eventually(async () => (await belongings(client, name)).length === 0)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, KubeObject, Resource } from '@trainjob/kube'

/** A CustomResourceDefinition as a server keeps it. */
export interface StoredDefinition extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason: string
      readonly message: string
    }[]
  }
}

/** Where definitions are served. */
export const CustomResourceDefinitions: Resource<StoredDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

/** As much of a definition as tells where its objects are. */
export interface Definition {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: { readonly plural: string; readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}

const SERVED_WITHIN_MS = 60_000

/**
 * Installs a definition; resolves when the server serves its objects and says so, which come in any order, with the
 * types of the conditions that hold then.
 */
export async function installDefinition(client: Client, definition: Definition): Promise<readonly string[]> {
  const { metadata, spec } = definition
  const { plural, kind } = spec.names
  await client.create(CustomResourceDefinitions, definition as unknown as KubeObject)
  const deadline = Date.now() + SERVED_WITHIN_MS
  for (;;) {
    try {
      for (const { name: version, served } of spec.versions) {
        const resource = { group: spec.group, version, plural, kind, namespaced: spec.scope === 'Namespaced' }
        if (served) await client.list(resource, { limit: 1 })
      }
      const { status } = await client.get(CustomResourceDefinitions, metadata)
      const holding = (status?.conditions ?? []).filter((one) => one.status === 'True').map(({ type }) => type)
      if (holding.includes('Established')) return holding
      throw new Error(`${metadata.name} is not established after ${SERVED_WITHIN_MS / 1000} s`)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

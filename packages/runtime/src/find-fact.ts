import type { KubernetesObject } from '@trainjob/api'
import type { Facts } from './types.ts'

/** Which object; without a namespace it is one of the cluster. */
export interface FactKey {
  /** API group; `''` for the core. */
  readonly group: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
}

/** The object among the facts, of whatever version. */
export function findFact(facts: Facts, { group, kind, namespace, name }: FactKey): KubernetesObject | undefined {
  return facts.objects?.find(
    (object) =>
      object.kind === kind &&
      object.metadata.name === name &&
      groupOf(object) === group &&
      (namespace === undefined || (object.metadata.namespace ?? 'default') === namespace),
  )
}

function groupOf({ apiVersion }: KubernetesObject): string {
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

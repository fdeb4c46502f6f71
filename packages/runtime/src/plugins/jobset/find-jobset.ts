import type { JobSet, KubernetesObject } from '@trainjob/api'
import type { Facts } from '../../types.ts'

/** The JobSet of that name among the facts. */
export function findJobSet(facts: Facts, namespace: string, name: string | undefined): JobSet | undefined {
  return facts.objects?.find(
    (object): object is JobSet =>
      isJobSet(object) && object.metadata.name === name && (object.metadata.namespace ?? 'default') === namespace,
  )
}

function isJobSet(object: KubernetesObject): object is JobSet {
  return object.kind === 'JobSet' && object.apiVersion.startsWith('jobset.x-k8s.io/')
}

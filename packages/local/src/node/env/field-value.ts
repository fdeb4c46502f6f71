import type { Pod } from '@trainjob/api'

/** What of a pod only its node knows. */
export interface NodeFacts {
  readonly nodeName: string
  readonly hostIP: string
  readonly podIP: string
}

const KEYED = /^metadata\.(labels|annotations)\['([^']*)'\]$/

/**
 * The value of a `fieldRef` in an env variable; `''` for a label or annotation that is not there, `undefined` for a
 * path that Kubernetes does not offer.
 */
export function fieldValue(pod: Pod, fieldPath: string, facts: NodeFacts): string | undefined {
  const keyed = KEYED.exec(fieldPath)
  if (keyed !== null) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] as string] ?? ''
  switch (fieldPath) {
    case 'metadata.name':
      return pod.metadata.name ?? ''
    case 'metadata.namespace':
      return pod.metadata.namespace ?? ''
    case 'metadata.uid':
      return pod.metadata.uid ?? ''
    case 'spec.nodeName':
      return facts.nodeName
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? 'default'
    case 'status.hostIP':
    case 'status.hostIPs':
      return facts.hostIP
    case 'status.podIP':
    case 'status.podIPs':
      return facts.podIP
    default:
      return undefined
  }
}

import type { JobSet, KubernetesObject, ObjectMeta, PodSpec, ResourceType } from '@trainjob/api'
import { JOBSET_NAME } from './labels.ts'
import { ownerReference } from './owner-reference.ts'

export interface PersistentVolumeClaim extends KubernetesObject {
  spec?: Record<string, unknown>
}

export const PersistentVolumeClaims: ResourceType<PersistentVolumeClaim> = {
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
}

/** A claim template of `volumeClaimPolicies`. */
export interface ClaimTemplate {
  metadata?: ObjectMeta
  spec?: Record<string, unknown>
}

/** Name of the claim that all Jobs of a JobSet share. */
export function claimName(jobSet: string, template: string): string {
  return `${template}-${jobSet}`
}

/** Every claim of a JobSet. Those to be kept when it is deleted have no owner. */
export function claimsOfJobSet(jobSet: JobSet): PersistentVolumeClaim[] {
  const { name = '', namespace } = jobSet.metadata
  return (jobSet.spec.volumeClaimPolicies ?? []).flatMap(({ templates, retentionPolicy }) =>
    templates.map((entry): PersistentVolumeClaim => {
      const { metadata, spec } = entry as ClaimTemplate
      return {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: claimName(name, metadata?.name ?? ''),
          ...(namespace !== undefined && { namespace }),
          labels: { ...metadata?.labels, [JOBSET_NAME]: name },
          ...(metadata?.annotations !== undefined && { annotations: metadata.annotations }),
          ...(retentionPolicy?.whenDeleted === 'Delete' && { ownerReferences: [ownerReference(jobSet)] }),
        },
        ...(spec !== undefined && { spec }),
      }
    }),
  )
}

/** The pod with a volume for every claim that one of its containers mounts. */
export function withClaimVolumes(jobSet: JobSet, spec: PodSpec): PodSpec {
  const names = (jobSet.spec.volumeClaimPolicies ?? [])
    .flatMap(({ templates }) => templates.map((entry) => (entry as ClaimTemplate).metadata?.name ?? ''))
    .filter((name) => mounts(spec, name))
  if (names.length === 0) return spec
  const claims = names.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(jobSet.metadata.name ?? '', name) },
  }))
  return { ...spec, volumes: [...(spec.volumes ?? []), ...claims] }
}

/** Whether a container of the pod mounts a volume of that name. */
export function mounts({ containers, initContainers = [] }: PodSpec, volume: string): boolean {
  return [...containers, ...initContainers].some(({ volumeMounts }) =>
    volumeMounts?.some(({ name }) => name === volume),
  )
}

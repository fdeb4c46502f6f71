import type { JobSet, OwnerReference } from '@trainjob/api'

/** Makes a JobSet the controller of an object. */
export function ownerReference(jobSet: JobSet): OwnerReference {
  const { name = '', uid = '' } = jobSet.metadata
  return { apiVersion: jobSet.apiVersion, kind: 'JobSet', name, uid, controller: true, blockOwnerDeletion: true }
}

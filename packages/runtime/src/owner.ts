import { type OwnerReference, TRAINER_API_VERSION, type TrainJob } from '@trainjob/api'

/** The reference that makes a TrainJob the controller of an object. A job that is not stored yet has the uid `''`. */
export function ownerReference({ metadata }: TrainJob): OwnerReference {
  return {
    apiVersion: TRAINER_API_VERSION,
    kind: 'TrainJob',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}

import type { KubernetesObject, TrainJob } from '@trainjob/api'

/** Whether the TrainJob, this very one, controls the object. A job that took a former job's name does not. */
export function isControlledBy(object: KubernetesObject, trainJob: TrainJob): boolean {
  return (
    object.metadata.ownerReferences?.some(
      (owner) => owner.controller === true && owner.uid === trainJob.metadata.uid,
    ) ?? false
  )
}

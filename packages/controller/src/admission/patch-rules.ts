import { isDeepStrictEqual } from 'node:util'
import { type JobSet, JSON_PATCHES_ANNOTATION, type TrainJob } from '@trainjob/api'

/** Whether the update changes the patches, so that the JobSet must be looked at. */
export function changesPatches(before: TrainJob, after: TrainJob): boolean {
  return (
    !isDeepStrictEqual(before.spec.runtimePatches ?? [], after.spec.runtimePatches ?? []) ||
    changesOperations(before, after)
  )
}

/** Whether the operations that are kept in an annotation are others. */
export function changesOperations(before: TrainJob, after: TrainJob): boolean {
  const [old, now] = [before, after].map(({ metadata }) => metadata.annotations?.[JSON_PATCHES_ANNOTATION])
  return old !== now
}

/**
 * Why the patches may not be changed now. They may while the job is suspended before or after the update, so that Kueue
 * can change them and resume in one request, and while nothing of the JobSet is active.
 * (source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/jobset.go)
 */
export function patchRefusals(before: TrainJob, after: TrainJob, jobSet: JobSet | undefined): readonly string[] {
  if (before.spec.suspend !== true && after.spec.suspend !== true) {
    return ['can only be changed while the TrainJob is suspended before or after the update: suspend it first']
  }
  return (jobSet?.status?.replicatedJobsStatus ?? [])
    .filter((one) => one.active > 0)
    .map(
      (one) =>
        `cannot be changed while replicated job ${one.name} of the JobSet is still active (${one.active}): wait until its pods have ended`,
    )
}

import type { ReplicatedJob } from '../kubernetes/jobset.ts'
import type { PodSpec } from '../kubernetes/pod.ts'
import { ANCESTOR_LABEL, ANCESTOR_TRAINER } from '../trainer/constants.ts'
import type { AnyTrainingRuntime, TrainJob } from '../trainer/types.ts'

/** How many nodes a job has. */
export function nodesOf(trainJob: TrainJob | undefined, runtime: AnyTrainingRuntime | undefined): number {
  return trainJob?.spec.trainer?.numNodes ?? runtime?.spec.mlPolicy?.numNodes ?? 1
}

/** The replicated jobs of a runtime, each with its path. */
export function jobsOf(runtime: AnyTrainingRuntime): readonly { readonly job: ReplicatedJob; readonly path: string }[] {
  return (runtime.spec.template?.spec?.replicatedJobs ?? []).map((job, index) => ({
    job,
    path: `spec.template.spec.replicatedJobs[${index}]`,
  }))
}

/** The value of its ancestor label. */
export function ancestorOf(job: ReplicatedJob): string | undefined {
  return job.template?.metadata?.labels?.[ANCESTOR_LABEL]
}

/** Whether `spec.trainer` fills it in. */
export function isTrainer(job: ReplicatedJob): boolean {
  return ancestorOf(job) === ANCESTOR_TRAINER
}

/** The pods of a replicated job. */
export function podOf(job: ReplicatedJob): Partial<PodSpec> {
  return job.template?.spec?.template?.spec ?? {}
}

import type { Findings } from '../issue.ts'
import { trainJobStatus } from '../schema/train-job-status.ts'
import type { AnyTrainingRuntime, TrainJob } from '../trainer/types.ts'
import { checkSchema, type Faults } from './check-schema.ts'
import { findingsOf } from './findings.ts'
import { checkObject } from './validate-object.ts'

/**
 * Checks a TrainJob as the API server of upstream's v2.3.0 would on creation (its admission webhooks are not part of
 * this: they need the runtime). Its status is ignored.
 *
 * @example
 * const { errors } = validateTrainJob({
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist' },
 *   spec: { runtimeRef: { name: 'torch-distributed' }, trainer: { numNodes: 'four' } },
 * })
 * errors.map(({ path, code }) => ({ path, code })) // => [{ path: 'spec.trainer.numNodes', code: 'wrong-type' }]
 */
export function validateTrainJob(trainJob: TrainJob | unknown): Findings {
  return validateAs(['TrainJob'], trainJob)
}

/**
 * Checks a TrainingRuntime or ClusterTrainingRuntime; fields of pod templates that are not known are kept.
 *
 * @example
 * const { errors } = validateRuntime({
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'ClusterTrainingRuntime',
 *   metadata: { name: 'mine' },
 *   spec: { mlPolicy: { torch: {}, mpi: {} } },
 * })
 * errors[0]?.message // => 'expected at most one policy, found torch and mpi: keep one of them'
 */
export function validateRuntime(runtime: AnyTrainingRuntime | unknown): Findings {
  return validateAs(['TrainingRuntime', 'ClusterTrainingRuntime'], runtime)
}

/**
 * Checks the status of a TrainJob as it may be written; paths begin with `status`.
 *
 * @example
 * const trainJob: TrainJob = {
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist' },
 *   spec: { runtimeRef: { name: 'torch-distributed' } },
 *   status: { trainerStatus: { progressPercentage: 120, lastUpdatedTime: '2026-01-31T12:00:00Z' } },
 * }
 * validateTrainJobStatus(trainJob).errors.map(({ path }) => path) // => ['status.trainerStatus.progressPercentage']
 */
export function validateTrainJobStatus(trainJob: TrainJob): Findings {
  if (trainJob.status === undefined) return { errors: [], warnings: [] }
  const { errors } = checkSchema(trainJobStatus, trainJob.status)
  return findingsOf({ errors: errors.map((e) => ({ ...e, path: ['status', ...e.path] })), warnings: [] }, trainJob)
}

function validateAs(kinds: readonly string[], object: unknown): Findings {
  const faults = checkObject(object)
  const kind = typeof object === 'object' && object !== null ? (object as { kind?: unknown }).kind : undefined
  if (typeof kind !== 'string' || kinds.includes(kind)) return findingsOf(faults, object)
  const message = `expected ${kinds.join(' or ')}, found ${JSON.stringify(kind)}`
  const errors: Faults['errors'] = [{ path: ['kind'], code: 'not-supported-kind', message }]
  return findingsOf({ errors, warnings: [] }, object)
}

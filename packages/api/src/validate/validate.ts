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
 * const { errors } = validateTrainJob(object)
 * if (errors.length > 0) throw new Error(errors.map((e) => `${e.path}: ${e.message}`).join('\n'))
 */
export function validateTrainJob(trainJob: TrainJob | unknown): Findings {
  return validateAs(['TrainJob'], trainJob)
}

/** Checks a TrainingRuntime or ClusterTrainingRuntime; fields of pod templates that are not known are kept. */
export function validateRuntime(runtime: AnyTrainingRuntime | unknown): Findings {
  return validateAs(['TrainingRuntime', 'ClusterTrainingRuntime'], runtime)
}

/** Checks the status of a TrainJob as it may be written; paths begin with `status`. */
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

import { formatFieldPath, type TrainJob } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { TrainerError } from './trainer-error.ts'

/**
 * The job as every cluster understands it, also when it is written in the document's form or that of an earlier release.
 * Throws `TrainerError` `invalid` for what has more than one meaning.
 */
export function canonicalOf(trainJob: TrainJob, what: string): TrainJob {
  const { object, errors } = toCanonical(trainJob)
  if (errors.length === 0) return object
  const causes = errors.map(({ path, message }) => ({ path: formatFieldPath(path), message }))
  const list = causes.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new TrainerError('invalid', `could not ${what}: ${list}`, { causes })
}

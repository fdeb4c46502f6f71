import { ANCESTOR_DATASET_INITIALIZER, ANCESTOR_MODEL_INITIALIZER, NODE_NAME, type TrainJob } from '@trainjob/api'
import { deepEqual } from '../../deep-equal.ts'
import type { Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { canonical } from '../../schema/canonical.ts'
import { structSchema } from '../../schema/schema.ts'
import { trainingContainers, trainingPods } from '../document/training-pods.ts'
import { PATCHES_PATH, patchEntries } from './entries.ts'

/** Whether an update changes what the operations say, whenever they were made. */
export function changesOperations(old: TrainJob, trainJob: TrainJob): boolean {
  const [before, after] = [old, trainJob].map((job) => patchEntries(job).map(({ time: _, ...rest }) => rest))
  return !deepEqual(before, after)
}

/**
 * The document's immutable fields, also against operations: after creation no operation may make them another. What they
 * did on creation stays. `runtimeRef` is out of their reach.
 */
export function validateOperationsUpdate(before: Info, after: Info, findings: FindingsCollector): void {
  const forbid = (field: string, found: string): void =>
    findings.error({
      path: PATCHES_PATH,
      code: 'immutable',
      message: `the operations must not change ${field}, which is immutable; ${found}; leave them out, or submit a new job`,
    })
  const counts = [before, after].map((info) => trainingPods(info).map(({ count, job }) => count * (job.replicas ?? 1)))
  if (!deepEqual(counts[0], counts[1])) {
    forbid('spec.trainer.numNodes', `found ${counts[1]?.join(', ')} pods in place of ${counts[0]?.join(', ')}`)
  }
  const images = [before, after].map((info) => trainingContainers(info).map(({ image }) => image))
  if (!deepEqual(images[0], images[1])) {
    forbid('spec.trainer.image', `found ${images[1]?.join(', ')} in place of ${images[0]?.join(', ')}`)
  }
  const [old, now] = [before, after].map(initializers)
  if (!deepEqual(old, now)) forbid('spec.initializer', 'found another initializer container')
}

const INITIALIZERS: ReadonlySet<string> = new Set([ANCESTOR_DATASET_INITIALIZER, ANCESTOR_MODEL_INITIALIZER])

function initializers({ podSets }: Info): unknown {
  return podSets.flatMap(({ containers, initContainers }) =>
    [...containers, ...initContainers]
      .filter(({ name }) => name !== NODE_NAME && INITIALIZERS.has(name))
      // where operations were applied they are in this form, elsewhere not yet
      .map((container) => canonical(container, structSchema('core.Container'))),
  )
}

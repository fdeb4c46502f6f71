import { applyDefaults } from '@trainjob/api/validate'
import { runtimeAdmission, trainJobAdmission } from '@trainjob/controller'
import { fakeClock } from '@trainjob/kube/testing'
import type { Answer, Question } from '../oracle/oracle.ts'
import { worldOf } from './world.ts'

/** What the webhooks say: whether each lets its object in, and when the patches of the TrainJob were made. */
export interface Reviews {
  readonly allowed: Readonly<Record<string, boolean>>
  /** `now` for what got the time of the request. */
  readonly patchTimes: readonly string[]
}

/** Ours. */
export async function ourReviews(question: Question): Promise<Reviews> {
  const { runtimes, oldRuntimes = [], trainJob } = question
  // what is stored has its defaults
  const oldTrainJob = question.oldTrainJob && applyDefaults(question.oldTrainJob)
  const allowed: Record<string, boolean> = {}
  for (const [i, runtime] of runtimes.entries()) {
    const hook = runtimeAdmission({ compat: 'upstream' }).find(({ resource }) => resource.kind === runtime.kind)
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      const oldObject = oldRuntimes[i] ?? runtime
      const request = { operation, object: runtime, dryRun: false, ...(operation === 'UPDATE' && { oldObject }) }
      const verdict = await hook?.validate?.(request)
      allowed[`validate ${operation} ${runtime.kind}`] = verdict?.errors.length === 0
    }
  }
  const { client } = worldOf(question)
  const clock = fakeClock(Date.parse('2030-01-01T00:00:00Z'))
  const hook = trainJobAdmission({ reader: client, clock, compat: 'upstream' })
  const operation = oldTrainJob === undefined ? 'CREATE' : 'UPDATE'
  const request = { operation, dryRun: false, ...(oldTrainJob && { oldObject: oldTrainJob }) } as const
  const object = (await hook.mutate?.({ ...request, object: trainJob })) ?? trainJob
  allowed[`mutate ${operation} TrainJob`] = true
  allowed[`validate ${operation} TrainJob`] = (await hook.validate?.({ ...request, object }))?.errors.length === 0
  const deletion = { operation: 'DELETE', object: trainJob, dryRun: false } as const
  allowed['validate DELETE TrainJob'] = (await hook.validate?.(deletion))?.errors.length === 0
  const now = new Date(clock.now()).toISOString().replace('.000', '')
  const times = object.spec.runtimePatches?.map(({ time }) => (time === now ? 'now' : String(time)))
  return { allowed, patchTimes: times ?? [] }
}

/** Upstream's. */
export function upstreamReviews({ reviews = {}, defaulted }: Answer): Reviews {
  const times = defaulted?.spec.runtimePatches?.map(({ time }) => (isRecent(time) ? 'now' : String(time)))
  return { allowed: reviews, patchTimes: times ?? [] }
}

/** Of this run: upstream looks at the machine's clock. */
export function isRecent(time: string | undefined): boolean {
  return time !== undefined && Math.abs(Date.parse(time) - Date.now()) < 3_600_000
}

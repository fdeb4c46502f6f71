import { z } from 'zod'
import type { Condition } from '../kubernetes/meta.ts'
import type { TrainerStatus, TrainJobStatus } from '../trainer/types.ts'
import { dateTime } from './date-time.ts'
import { BY_NAME, list } from './list.ts'
import { withServerRules } from './server-rules.ts'

const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/

const count = z.int32().min(0)
const short = z.string().min(1).max(64)

/** `metav1.Condition`. */
export const condition: z.ZodType<Condition> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      type: z.string().max(316).regex(TYPE),
      status: z.enum(['True', 'False', 'Unknown']),
      reason: z.string().min(1).max(1024).regex(REASON),
      message: z.string().max(32768),
      lastTransitionTime: dateTime,
      observedGeneration: z.int().min(0).exactOptional(),
    }),
    {
      fields: {
        type: 'What the condition is about.',
        status: 'Whether it holds.',
        reason: 'Why, in one word.',
        message: 'Why, for humans.',
        lastTransitionTime: 'Since when it has this status.',
        observedGeneration: 'Generation of the spec that it is about.',
      },
    },
  ),
)

/** What the training code reports about itself. */
export const trainerStatus: z.ZodType<TrainerStatus> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      progressPercentage: count.max(100).exactOptional(),
      estimatedRemainingSeconds: count.exactOptional(),
      metrics: list(z.strictObject({ name: short, value: short }), { max: 256 }).exactOptional(),
      lastUpdatedTime: dateTime,
    }),
    {
      requiredByCheck: ['lastUpdatedTime'],
      checks: [
        { rule: 'has(self.lastUpdatedTime)', message: 'lastUpdatedTime is required where trainerStatus is set' },
      ],
      fields: {
        progressPercentage: 'How much of the training is done, in percent.',
        estimatedRemainingSeconds: 'How many seconds it will take from now.',
        metrics: 'The latest value of each metric.',
        lastUpdatedTime: 'When the training code reported.',
      },
    },
  ),
)

/** The status of a TrainJob, as the status subresource accepts it. */
export const trainJobStatus: z.ZodType<TrainJobStatus> = z.lazy(() =>
  withServerRules(
    z
      .strictObject({
        conditions: list(condition, { max: 8, keys: { type: undefined } }).exactOptional(),
        jobsStatus: list(
          z.strictObject({
            name: z.string().min(1).max(253),
            ready: count,
            succeeded: count,
            failed: count,
            active: count,
            suspended: count,
          }),
          { max: 100, keys: BY_NAME },
        ).exactOptional(),
        trainerStatus: trainerStatus.exactOptional(),
      })
      .refine((status) => Object.keys(status).length > 0, {
        error: 'expected at least one of conditions, jobsStatus and trainerStatus, found none',
        params: { code: 'required' },
      }),
    {
      description: 'How far the job has come.',
      minProperties: 1,
      fields: {
        conditions: 'Whether the job is suspended, complete or failed.',
        jobsStatus: 'How many jobs of each replicated job are in which state.',
        trainerStatus: 'What the training code reports about itself.',
      },
    },
  ),
)

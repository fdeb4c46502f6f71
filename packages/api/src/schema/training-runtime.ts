import { z } from 'zod'
import { NODE_NAME } from '../trainer/constants.ts'
import {
  type ClusterTrainingRuntime,
  type MLPolicy,
  type PodGroupPolicy,
  TRAINER_API_VERSION,
  type TrainingRuntime,
  type TrainingRuntimeSpec,
} from '../trainer/types.ts'
import { jobSetSpec } from './jobset-spec.ts'
import { list } from './list.ts'
import { embeddedMetadata, objectMeta } from './metadata.ts'
import { flag, int, int32 } from './simple-fields.ts'

const none = z.strictObject({})
const POLICIES = ['torch', 'mpi', 'jax', 'xgboost', 'flux'] as const

const containerNames = z.lazy(() =>
  list(
    z
      .string()
      .max(63)
      .refine((name) => name !== NODE_NAME, {
        error: `expected any container but ${NODE_NAME}, which always gets the variables; remove it`,
      }),
    { min: 1, max: 8, set: true },
  ),
)

const mlPolicy: z.ZodType<MLPolicy> = z.lazy(() =>
  z
    .strictObject({
      numNodes: int32,
      torch: z
        .strictObject({
          envInjection: z
            .strictObject({
              targets: list(z.strictObject({ jobName: z.string().min(1).max(253), containerNames }), {
                max: 16,
                keys: { jobName: undefined },
              }).exactOptional(),
            })
            .exactOptional(),
        })
        .exactOptional(),
      mpi: z
        .strictObject({
          numProcPerNode: int32,
          mpiImplementation: z.enum(['OpenMPI', '']).exactOptional(),
          sshAuthMountPath: z.string().max(4096).exactOptional(),
          runLauncherAsNode: flag,
        })
        .exactOptional(),
      jax: none.exactOptional(),
      xgboost: none.exactOptional(),
      flux: z.strictObject({ numProcPerNode: z.int32().min(1).exactOptional() }).exactOptional(),
    })
    .superRefine(
      (policy, context) => {
        const found = POLICIES.filter((name) => policy[name] !== undefined)
        if (found.length <= 1) return
        context.addIssue({
          code: 'custom',
          message: `expected at most one policy, found ${found.join(' and ')}: keep one of them`,
          params: { code: 'invalid-value' },
        })
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    ),
) as z.ZodType<MLPolicy>

const podGroupPolicy: z.ZodType<PodGroupPolicy> = z.lazy(() =>
  z.strictObject({
    coscheduling: z.strictObject({ scheduleTimeoutSeconds: int32 }).exactOptional(),
    volcano: z
      .strictObject({
        networkTopology: z
          .strictObject({ mode: z.enum(['hard', 'soft']).exactOptional(), highestTierAllowed: int })
          .exactOptional(),
      })
      .exactOptional(),
  }),
)

/** The spec of both kinds of runtime. */
export const trainingRuntimeSpec: z.ZodType<TrainingRuntimeSpec> = z.lazy(() =>
  notEmpty(
    z.strictObject({
      mlPolicy: mlPolicy.exactOptional(),
      podGroupPolicy: podGroupPolicy.exactOptional(),
      template: notEmpty(
        z.strictObject({ metadata: embeddedMetadata.exactOptional(), spec: jobSetSpec.exactOptional() }),
        'metadata or spec',
      ).exactOptional(),
    }),
    'mlPolicy, podGroupPolicy or template',
  ),
)

/** A TrainingRuntime as upstream's CRD of v2.3.0 accepts it. */
export const trainingRuntime: z.ZodType<TrainingRuntime> = z.lazy(() =>
  z.strictObject({
    apiVersion: z.literal(TRAINER_API_VERSION),
    kind: z.literal('TrainingRuntime'),
    metadata: objectMeta,
    spec: trainingRuntimeSpec,
  }),
)

/** A ClusterTrainingRuntime as upstream's CRD of v2.3.0 accepts it. */
export const clusterTrainingRuntime: z.ZodType<ClusterTrainingRuntime> = z.lazy(() =>
  z.strictObject({
    apiVersion: z.literal(TRAINER_API_VERSION),
    kind: z.literal('ClusterTrainingRuntime'),
    metadata: objectMeta,
    spec: trainingRuntimeSpec,
  }),
)

function notEmpty<T extends z.ZodType<object>>(schema: T, fields: string): T {
  return schema.refine((value) => Object.keys(value).length > 0, {
    error: `expected at least one of ${fields}, found none`,
    params: { code: 'required' },
  })
}

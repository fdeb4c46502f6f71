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
import { withServerRules } from './server-rules.ts'
import { flag, int32 } from './simple-fields.ts'

/** Go's `int`, of which a server knows no limits. */
const number = withServerRules(z.int(), { schema: { type: 'integer' } })
const POLICIES = ['torch', 'mpi', 'jax', 'xgboost', 'flux'] as const

const containerNames = z.lazy(() =>
  list(
    z
      .string()
      .max(63)
      .refine((name) => name !== NODE_NAME, {
        error: `expected any container but ${NODE_NAME}, which always gets the variables; remove it`,
      }),
    {
      min: 1,
      max: 8,
      set: true,
      checks: [
        {
          rule: `!self.exists(c, c == '${NODE_NAME}')`,
          message: `containerNames must not have ${NODE_NAME}, which always gets the variables; remove it`,
        },
      ],
    },
  ),
)

const torch = z.lazy(() =>
  withServerRules(
    z.strictObject({
      envInjection: z
        .strictObject({
          targets: list(z.strictObject({ jobName: z.string().min(1).max(253), containerNames }), {
            max: 16,
            keys: { jobName: undefined },
          }).exactOptional(),
        })
        .exactOptional(),
    }),
    {
      fields: { envInjection: "Further containers that get torch's variables." },
      dialect: { fields: ['numGPUsPerNode', 'elastic', 'numProcPerNode', 'numNodes'] },
    },
  ),
)

const mpi = z.lazy(() =>
  withServerRules(
    z.strictObject({
      numProcPerNode: int32,
      mpiImplementation: z.enum(['OpenMPI', '']).exactOptional(),
      sshAuthMountPath: z.string().max(4096).exactOptional(),
      runLauncherAsNode: flag,
    }),
    {
      defaults: {
        numProcPerNode: 1,
        mpiImplementation: 'OpenMPI',
        sshAuthMountPath: '/root/.ssh',
        runLauncherAsNode: false,
      },
      fields: {
        numProcPerNode: 'Slots of each node.',
        mpiImplementation: 'Whose MPI it is.',
        sshAuthMountPath: 'Where the keys of ssh are mounted.',
        runLauncherAsNode: 'Whether the launcher trains, too.',
      },
      dialect: {
        fields: ['numCPUsPerNode', 'numMPIWorkersPerNode', 'sshdPort'],
        undefaulted: ['numProcPerNode'],
      },
    },
  ),
)

const flux = z.lazy(() =>
  withServerRules(
    z.strictObject({
      numProcPerNode: withServerRules(z.int32().min(1), {
        schema: { type: 'integer', format: 'int32' },
        checks: [{ rule: 'self >= 1', message: 'numProcPerNode must be at least 1' }],
      }).exactOptional(),
    }),
    {
      defaults: { numProcPerNode: 1 },
      fields: { numProcPerNode: 'Processes of each node.' },
      dialect: { fields: ['numCPUsPerNode', 'fluxMinReplicas', 'fluxMaxReplicas'] },
    },
  ),
)

function policies() {
  return z
    .strictObject({
      numNodes: int32,
      torch: torch.exactOptional(),
      mpi: mpi.exactOptional(),
      jax: withServerRules(z.strictObject({}), { dialect: { fields: ['numCPUsPerNode'] } }).exactOptional(),
      xgboost: withServerRules(z.strictObject({}), {
        dialect: { fields: ['numCPUsPerNode', 'numXGBoostWorkersPerNode'] },
      }).exactOptional(),
      flux: flux.exactOptional(),
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
    )
}

const mlPolicy = z.lazy(() =>
  withServerRules(policies(), {
    checks: [
      {
        rule: `[${POLICIES.map((name) => `has(self.${name})`).join(', ')}].filter(x, x).size() <= 1`,
        message: `at most one of ${POLICIES.join(', ')} can be set`,
      },
    ],
    fields: {
      numNodes: 'How many nodes train, where the job does not say.',
      torch: 'Training with PyTorch.',
      mpi: 'Training with MPI.',
      jax: 'Training with JAX.',
      xgboost: 'Training with XGBoost.',
      flux: 'Training with Flux.',
    },
  }),
) as z.ZodType<MLPolicy>

const coscheduling = z.lazy(() =>
  withServerRules(z.strictObject({ scheduleTimeoutSeconds: int32 }), {
    defaults: { scheduleTimeoutSeconds: 60 },
    fields: { scheduleTimeoutSeconds: 'How many seconds the scheduler waits for all pods.' },
    dialect: { fields: ['minMember'] },
  }),
)

const networkTopology = z.lazy(() =>
  withServerRules(
    z.strictObject({ mode: z.enum(['hard', 'soft']).exactOptional(), highestTierAllowed: number.exactOptional() }),
    {
      defaults: { mode: 'hard', highestTierAllowed: 1 },
      fields: {
        mode: 'Whether the highest tier is a must (hard) or a wish (soft).',
        highestTierAllowed: 'How far apart in the network pods may be.',
      },
    },
  ),
)

const volcano = z.lazy(() =>
  withServerRules(z.strictObject({ networkTopology: networkTopology.exactOptional() }), {
    fields: { networkTopology: 'How close in the network pods are to be.' },
    dialect: { fields: ['minMember', 'queue'] },
  }),
)

const podGroupPolicy: z.ZodType<PodGroupPolicy> = z.lazy(() =>
  withServerRules(z.strictObject({ coscheduling: coscheduling.exactOptional(), volcano: volcano.exactOptional() }), {
    fields: { coscheduling: 'Scheduling by the scheduler plugins of Kubernetes.', volcano: 'Scheduling by Volcano.' },
    dialect: { fields: ['cosmoscheduling'] },
  }),
)

/** The spec of both kinds of runtime. */
export const trainingRuntimeSpec: z.ZodType<TrainingRuntimeSpec> = z.lazy(() =>
  notEmpty(
    withServerRules(
      z.strictObject({
        mlPolicy: mlPolicy.exactOptional(),
        podGroupPolicy: podGroupPolicy.exactOptional(),
        template: notEmpty(
          z.strictObject({ metadata: embeddedMetadata.exactOptional(), spec: jobSetSpec.exactOptional() }),
          'metadata or spec',
        ).exactOptional(),
      }),
      {
        description: 'How jobs of this runtime are run.',
        fields: {
          mlPolicy: 'What the framework needs to know.',
          podGroupPolicy: 'Pods of a job are scheduled all together or not at all.',
          template: 'The JobSet that jobs become.',
        },
      },
    ),
    'mlPolicy, podGroupPolicy or template',
  ),
)

/** A TrainingRuntime as upstream's CRD of v2.3.0 accepts it. */
export const trainingRuntime: z.ZodType<TrainingRuntime> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      apiVersion: z.literal(TRAINER_API_VERSION),
      kind: z.literal('TrainingRuntime'),
      metadata: objectMeta,
      spec: trainingRuntimeSpec,
    }),
    { description: 'How training jobs of its namespace are run.' },
  ),
)

/** A ClusterTrainingRuntime as upstream's CRD of v2.3.0 accepts it. */
export const clusterTrainingRuntime: z.ZodType<ClusterTrainingRuntime> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      apiVersion: z.literal(TRAINER_API_VERSION),
      kind: z.literal('ClusterTrainingRuntime'),
      metadata: objectMeta,
      spec: trainingRuntimeSpec,
    }),
    { description: 'How training jobs of all namespaces are run.' },
  ),
)

function notEmpty<T extends z.ZodType<object>>(schema: T, fields: string): T {
  const checked = schema.refine((value) => Object.keys(value).length > 0, {
    error: `expected at least one of ${fields}, found none`,
    params: { code: 'required' },
  })
  return withServerRules(checked, { minProperties: 1 })
}

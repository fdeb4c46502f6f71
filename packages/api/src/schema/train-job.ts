import { z } from 'zod'
import { dns1035LabelFault } from '../names/names.ts'
import { MANAGED_BY_MULTIKUEUE, MANAGED_BY_TRAINER } from '../trainer/constants.ts'
import {
  type AssetInitializer,
  TRAINER_API_VERSION,
  TRAINER_GROUP,
  type Trainer,
  type TrainJob,
  type TrainJobSpec,
} from '../trainer/types.ts'
import { resourceRequirements } from './container.ts'
import { envVar } from './env.ts'
import { BY_NAME, list } from './list.ts'
import { metadataWith } from './metadata.ts'
import { localObjectReference } from './reference.ts'
import { runtimePatch } from './runtime-patch.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int32 } from './simple-fields.ts'

const MAX_ARGUMENT_LENGTH = 1_048_576
const STORAGE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/.+$/

const storageUri = z.lazy(() =>
  withServerRules(
    z
      .string()
      .max(2048)
      .refine((uri) => uri === '' || STORAGE_URI.test(uri), {
        error: ({ input }) => `expected a URI like s3://bucket/path, or nothing; found ${JSON.stringify(input)}`,
      }),
    {
      checks: [
        {
          rule: "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')",
          message: 'storageUri must be empty or a URI: scheme://...',
        },
      ],
    },
  ),
)

const initializer: z.ZodType<AssetInitializer> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      storageUri: storageUri.exactOptional(),
      env: list(envVar, { max: 128, keys: BY_NAME }).exactOptional(),
      secretRef: localObjectReference.exactOptional() as z.ZodType<{ name: string }>,
    }),
    {
      fields: {
        storageUri: 'Where the data is, for example hf://owner/name or s3://bucket/path.',
        env: 'Environment of the initializer.',
        secretRef: 'Secret whose entries become environment variables of the initializer.',
      },
    },
  ),
) as z.ZodType<AssetInitializer>

const words = list(z.string().max(MAX_ARGUMENT_LENGTH), { max: 128 })

const trainer: z.ZodType<Trainer> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      image: z.string().max(500).exactOptional(),
      command: words.exactOptional(),
      args: words.exactOptional(),
      env: list(envVar, { max: 128, keys: BY_NAME }).exactOptional(),
      numNodes: int32,
      resourcesPerNode: resourceRequirements.exactOptional(),
      numProcPerNode: int32,
    }),
    {
      fields: {
        image: 'Image of the training container.',
        command: 'Program that the training container runs.',
        args: 'Arguments of the program.',
        env: 'Environment of the training container.',
        numNodes: 'How many nodes train.',
        resourcesPerNode: 'Requests and limits of each training container.',
        numProcPerNode: 'How many processes train on each node.',
      },
      dialect: { fields: ['resources'] },
    },
  ),
)

const runtimeRef = z.lazy(() =>
  withServerRules(
    z.strictObject({
      name: z.string().min(1).max(253),
      apiGroup: z.string().max(253).exactOptional(),
      kind: z.string().max(253).exactOptional(),
    }),
    {
      defaults: { apiGroup: TRAINER_GROUP, kind: 'ClusterTrainingRuntime' },
      fields: {
        name: 'Name of the runtime.',
        apiGroup: "API group of the runtime's kind.",
        kind: 'TrainingRuntime, which is in the namespace of the job, or ClusterTrainingRuntime.',
      },
      // which of the two kinds was meant shows in what exists
      dialect: { undefaulted: ['kind'] },
    },
  ),
)

const managedBy = z.lazy(() =>
  withServerRules(z.enum([MANAGED_BY_TRAINER, MANAGED_BY_MULTIKUEUE]), {
    schema: { type: 'string', maxLength: 253 },
    checks: [
      {
        rule: `self in ['${MANAGED_BY_TRAINER}', '${MANAGED_BY_MULTIKUEUE}']`,
        message: `managedBy must be ${MANAGED_BY_TRAINER} or ${MANAGED_BY_MULTIKUEUE}`,
      },
    ],
  }),
)

const initializers = z.lazy(() =>
  withServerRules(z.strictObject({ dataset: initializer.exactOptional(), model: initializer.exactOptional() }), {
    fields: { dataset: 'Fetches the data to train on.', model: 'Fetches the model to start from.' },
    dialect: { fields: ['storageUri', 'env', 'secretRef'] },
  }),
)

const trainJobSpec: z.ZodType<TrainJobSpec> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      runtimeRef,
      initializer: initializers.exactOptional(),
      trainer: trainer.exactOptional(),
      runtimePatches: list(runtimePatch, { max: 16, keys: { manager: undefined } }).exactOptional(),
      suspend: flag,
      activeDeadlineSeconds: z.int().min(1).exactOptional(),
      managedBy: managedBy.exactOptional(),
    }),
    {
      description: 'What is to be trained, and how.',
      defaults: { suspend: false, managedBy: MANAGED_BY_TRAINER },
      immutable: ['runtimeRef', 'initializer', 'trainer', 'activeDeadlineSeconds', 'managedBy'],
      fields: {
        runtimeRef: 'The runtime that the job is run by.',
        initializer: 'What is fetched before training starts.',
        trainer: 'What the training nodes run.',
        runtimePatches: 'Changes of the runtime for this job alone, by who makes them.',
        suspend: 'Whether the job waits, or is stopped until it is false again.',
        activeDeadlineSeconds: 'How many seconds the job may run; it fails after that. Suspending it starts anew.',
        managedBy: 'Which controller takes care of the job.',
      },
      dialect: { fields: ['podSpecOverrides', 'podTemplateOverrides', 'podGroupPolicy', 'mlPolicy'] },
    },
  ),
)

/**
 * A TrainJob as upstream's CRD of v2.3.0 accepts it. The status is not looked at: a server ignores what a manifest says
 * there. It belongs to `trainJobStatus`.
 */
export const trainJob: z.ZodType<TrainJob> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      apiVersion: z.literal(TRAINER_API_VERSION),
      kind: z.literal('TrainJob'),
      metadata: metadataWith(dns1035LabelFault),
      spec: trainJobSpec,
      status: z.unknown().exactOptional(),
    }),
    {
      description: 'A training job: code, nodes and data, run by a runtime.',
      checks: [
        {
          rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
          message: 'metadata.name must be lower case letters, digits and -, start with a letter and not end with -',
        },
        { rule: 'size(self.metadata.name) <= 63', message: 'metadata.name must have at most 63 characters' },
      ],
    },
  ),
) as z.ZodType<TrainJob>

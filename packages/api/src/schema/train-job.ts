import { z } from 'zod'
import { dns1035LabelFault } from '../names/names.ts'
import { MANAGED_BY_MULTIKUEUE, MANAGED_BY_TRAINER } from '../trainer/constants.ts'
import {
  type AssetInitializer,
  TRAINER_API_VERSION,
  type Trainer,
  type TrainJob,
  type TrainJobSpec,
} from '../trainer/types.ts'
import { resourceRequirements } from './container.ts'
import { envVar } from './env.ts'
import { BY_NAME, list } from './list.ts'
import { metadataWith } from './metadata.ts'
import { localObjectReference } from './pod-template.ts'
import { runtimePatch } from './runtime-patch.ts'
import { flag, int32 } from './simple-fields.ts'

const MAX_ARGUMENT_LENGTH = 1_048_576
const STORAGE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/.+$/

const initializer: z.ZodType<AssetInitializer> = z.lazy(() =>
  z.strictObject({
    storageUri: z
      .string()
      .max(2048)
      .refine((uri) => uri === '' || STORAGE_URI.test(uri), {
        error: ({ input }) => `expected a URI like s3://bucket/path, or nothing; found ${JSON.stringify(input)}`,
      })
      .exactOptional(),
    env: list(envVar, { max: 128, keys: BY_NAME }).exactOptional(),
    secretRef: localObjectReference.exactOptional() as z.ZodType<{ name: string }>,
  }),
) as z.ZodType<AssetInitializer>

const words = list(z.string().max(MAX_ARGUMENT_LENGTH), { max: 128 })

const trainer: z.ZodType<Trainer> = z.lazy(() =>
  z.strictObject({
    image: z.string().max(500).exactOptional(),
    command: words.exactOptional(),
    args: words.exactOptional(),
    env: list(envVar, { max: 128, keys: BY_NAME }).exactOptional(),
    numNodes: int32,
    resourcesPerNode: resourceRequirements.exactOptional(),
    numProcPerNode: int32,
  }),
)

const trainJobSpec: z.ZodType<TrainJobSpec> = z.lazy(() =>
  z.strictObject({
    runtimeRef: z.strictObject({
      name: z.string().min(1).max(253),
      apiGroup: z.string().max(253).exactOptional(),
      kind: z.string().max(253).exactOptional(),
    }),
    initializer: z
      .strictObject({ dataset: initializer.exactOptional(), model: initializer.exactOptional() })
      .exactOptional(),
    trainer: trainer.exactOptional(),
    runtimePatches: list(runtimePatch, { max: 16, keys: { manager: undefined } }).exactOptional(),
    suspend: flag,
    activeDeadlineSeconds: z.int().min(1).exactOptional(),
    managedBy: z.enum([MANAGED_BY_TRAINER, MANAGED_BY_MULTIKUEUE]).exactOptional(),
  }),
)

/**
 * A TrainJob as upstream's CRD of v2.3.0 accepts it. The status is not looked at: a server ignores what a manifest says
 * there. It belongs to `trainJobStatus`.
 */
export const trainJob: z.ZodType<TrainJob> = z.lazy(() =>
  z.strictObject({
    apiVersion: z.literal(TRAINER_API_VERSION),
    kind: z.literal('TrainJob'),
    metadata: metadataWith(dns1035LabelFault),
    spec: trainJobSpec,
    status: z.unknown().exactOptional(),
  }),
) as z.ZodType<TrainJob>

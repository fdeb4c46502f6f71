import { z } from 'zod'
import type { JobSpec, JobTemplateSpec } from '../kubernetes/job.ts'
import { list } from './list.ts'
import { embeddedMetadata } from './metadata.ts'
import { podTemplateSpec } from './pod-template.ts'
import { labelSelector } from './selector.ts'

const text = z.string().exactOptional()
const int = z.int32().exactOptional()
const flag = z.boolean().exactOptional()

function podFailurePolicyRule() {
  return z.strictObject({
    action: z.string(),
    onExitCodes: z
      .strictObject({ containerName: text, operator: z.string(), values: list(z.int32(), { set: true }) })
      .exactOptional(),
    onPodConditions: z.array(z.strictObject({ type: z.string(), status: text })).exactOptional(),
  })
}

const jobSpec: z.ZodType<JobSpec> = z.lazy(() =>
  z.strictObject({
    activeDeadlineSeconds: z.int().exactOptional(),
    backoffLimit: int,
    backoffLimitPerIndex: int,
    completionMode: text,
    completions: int,
    managedBy: text,
    manualSelector: flag,
    maxFailedIndexes: int,
    parallelism: int,
    podFailurePolicy: z.strictObject({ rules: z.array(z.lazy(podFailurePolicyRule)) }).exactOptional(),
    podReplacementPolicy: text,
    selector: labelSelector.exactOptional(),
    successPolicy: z
      .strictObject({ rules: z.array(z.strictObject({ succeededCount: int, succeededIndexes: text })) })
      .exactOptional(),
    suspend: flag,
    template: podTemplateSpec,
    ttlSecondsAfterFinished: int,
  }),
) as z.ZodType<JobSpec>

/** `batch/v1` JobTemplateSpec. */
export const jobTemplateSpec: z.ZodType<JobTemplateSpec> = z.lazy(() =>
  z.strictObject({
    metadata: embeddedMetadata.exactOptional(),
    spec: jobSpec.exactOptional(),
  }),
)

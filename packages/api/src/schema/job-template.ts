import { z } from 'zod'
import type { JobSpec, JobTemplateSpec } from '../kubernetes/job.ts'
import { list } from './list.ts'
import { embeddedMetadata } from './metadata.ts'
import { podTemplateSpec } from './pod-template.ts'
import { labelSelector } from './selector.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int, int32, text } from './simple-fields.ts'

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
  withServerRules(
    z.strictObject({
      activeDeadlineSeconds: int,
      backoffLimit: int32,
      backoffLimitPerIndex: int32,
      completionMode: text,
      completions: int32,
      managedBy: text,
      manualSelector: flag,
      maxFailedIndexes: int32,
      parallelism: int32,
      podFailurePolicy: z.strictObject({ rules: z.array(z.lazy(podFailurePolicyRule)) }).exactOptional(),
      podReplacementPolicy: text,
      selector: labelSelector.exactOptional(),
      successPolicy: z
        .strictObject({ rules: z.array(z.strictObject({ succeededCount: int32, succeededIndexes: text })) })
        .exactOptional(),
      suspend: flag,
      template: podTemplateSpec,
      ttlSecondsAfterFinished: int32,
    }),
    {
      // pods written directly below the job
      dialect: { lifts: ['template', 'spec'] },
    },
  ),
) as z.ZodType<JobSpec>

/** `batch/v1` JobTemplateSpec. */
export const jobTemplateSpec: z.ZodType<JobTemplateSpec> = z.lazy(() =>
  z.strictObject({
    metadata: embeddedMetadata.exactOptional(),
    spec: jobSpec.exactOptional(),
  }),
)

import { z } from 'zod'
import type { JobSetSpec, ReplicatedJob } from '../kubernetes/jobset.ts'
import { jobTemplateSpec } from './job-template.ts'
import { BY_NAME, list } from './list.ts'
import { flag, int, int32, text, texts } from './simple-fields.ts'
import { persistentVolumeClaimTemplate } from './volume-claim.ts'

const replicatedJob: z.ZodType<ReplicatedJob> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    groupName: text,
    replicas: int32,
    template: jobTemplateSpec,
    dependsOn: list(z.strictObject({ name: z.string(), status: z.enum(['Ready', 'Complete']) }), {
      max: 5,
      keys: BY_NAME,
    }).exactOptional(),
  }),
)

function failurePolicy() {
  const rule = z.strictObject({
    name: z.string(),
    action: z.enum([
      'FailJobSet',
      'RestartJobSet',
      'RestartJobSetAndIgnoreMaxRestarts',
      'RestartJob',
      'RestartJobAndIgnoreMaxRestarts',
    ]),
    targetReplicatedJobs: texts,
    onJobFailureReasons: texts,
    onJobFailureMessagePatterns: texts,
  })
  return z.strictObject({
    maxRestarts: int32,
    restartStrategy: z.enum(['Recreate', 'BlockingRecreate', 'InPlaceRestart']).exactOptional(),
    rules: z.array(rule).exactOptional(),
  })
}

function volumeClaimPolicy() {
  return z
    .strictObject({
      templates: list(persistentVolumeClaimTemplate, { max: 50 }),
      retentionPolicy: z.strictObject({ whenDeleted: z.enum(['Delete', 'Retain']).exactOptional() }).exactOptional(),
    })
    .superRefine(
      ({ templates }, context) => {
        if (!Array.isArray(templates)) return
        templates.forEach((template: { metadata?: { namespace?: string } } | undefined, index) => {
          if (!template?.metadata?.namespace) return
          context.addIssue({
            code: 'custom',
            path: ['templates', index, 'metadata', 'namespace'],
            message: 'expected no namespace, because the claim is made in the namespace of the job; leave it out',
            params: { code: 'invalid-value' },
          })
        })
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    )
}

/** The spec of a JobSet as it stands in the template of a runtime. Source: JobSet v0.12 in Trainer's CRDs. */
export const jobSetSpec: z.ZodType<JobSetSpec> = z.lazy(() =>
  z
    .strictObject({
      replicatedJobs: list(replicatedJob, { keys: BY_NAME }).exactOptional(),
      network: z
        .strictObject({ enableDNSHostnames: flag, subdomain: text, publishNotReadyAddresses: flag })
        .exactOptional(),
      successPolicy: z.strictObject({ operator: z.enum(['All', 'Any']), targetReplicatedJobs: texts }).exactOptional(),
      failurePolicy: z.lazy(failurePolicy).exactOptional(),
      startupPolicy: z.strictObject({ startupPolicyOrder: z.enum(['AnyOrder', 'InOrder']) }).exactOptional(),
      suspend: flag,
      coordinator: z
        .strictObject({
          replicatedJob: z.string(),
          jobIndex: int,
          podIndex: int,
        })
        .exactOptional(),
      managedBy: text,
      ttlSecondsAfterFinished: z.int32().min(0).exactOptional(),
      volumeClaimPolicies: list(z.lazy(volumeClaimPolicy), { max: 50 }).exactOptional(),
    })
    .superRefine(
      (spec, context) => {
        if (spec.startupPolicy?.startupPolicyOrder !== 'InOrder' || !Array.isArray(spec.replicatedJobs)) return
        if (!spec.replicatedJobs.some((job) => job?.dependsOn !== undefined)) return
        context.addIssue({
          code: 'custom',
          path: ['startupPolicy'],
          message: 'expected either startupPolicy InOrder or dependsOn, found both: remove one',
          params: { code: 'invalid-value' },
        })
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    ),
)

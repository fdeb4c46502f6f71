import { z } from 'zod'
import type { JobSetSpec, ReplicatedJob } from '../kubernetes/jobset.ts'
import { jobTemplateSpec } from './job-template.ts'
import { BY_NAME, list } from './list.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int32, text, texts } from './simple-fields.ts'
import { persistentVolumeClaimTemplate } from './volume-claim.ts'

/** Go's `int`, of which a server knows no limits. */
const number = withServerRules(z.int(), { schema: { type: 'integer' } })

const replicatedJob: z.ZodType<ReplicatedJob> = z.lazy(() =>
  withServerRules(
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
    {
      defaults: { replicas: 1, groupName: 'default' },
      immutable: ['dependsOn'],
      fields: {
        name: 'Name of the jobs, followed by their number.',
        groupName: 'Group that jobs belong to together.',
        replicas: 'How many jobs are made of the template.',
        template: 'The jobs.',
        dependsOn: 'Replicated jobs before this one that must have come so far before it starts.',
      },
      // in the document they are nodes, which the policy may count too
      dialect: { undefaulted: ['replicas'] },
    },
  ),
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
  return withServerRules(
    z.strictObject({
      maxRestarts: int32,
      restartStrategy: z.enum(['Recreate', 'BlockingRecreate', 'InPlaceRestart']).exactOptional(),
      rules: z.array(rule).exactOptional(),
    }),
    {
      defaults: { restartStrategy: 'Recreate' },
      fields: {
        maxRestarts: 'How often everything is started again before the JobSet fails.',
        restartStrategy: 'How jobs are started again.',
        rules: 'What to do for which failure; the first that fits counts.',
      },
      dialect: { fields: ['maxRetries'] },
    },
  )
}

function volumeClaimPolicy() {
  const retentionPolicy = withServerRules(
    z.strictObject({ whenDeleted: z.enum(['Delete', 'Retain']).exactOptional() }),
    { defaults: { whenDeleted: 'Delete' } },
  )
  const policy = z
    .strictObject({
      templates: list(persistentVolumeClaimTemplate, { max: 50 }),
      retentionPolicy: retentionPolicy.exactOptional(),
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
  return withServerRules(policy, {
    requiredByCheck: ['templates'],
    checks: [
      {
        rule: 'self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)',
        message: 'templates must have metadata without a namespace: claims are made in the namespace of the job',
      },
    ],
  })
}

/** The spec of a JobSet as it stands in the template of a runtime. Source: JobSet v0.12 in Trainer's CRDs. */
export const jobSetSpec: z.ZodType<JobSetSpec> = z.lazy(() =>
  withServerRules(
    z
      .strictObject({
        replicatedJobs: list(replicatedJob, { keys: BY_NAME }).exactOptional(),
        network: z
          .strictObject({ enableDNSHostnames: flag, subdomain: text, publishNotReadyAddresses: flag })
          .exactOptional(),
        successPolicy: z
          .strictObject({ operator: z.enum(['All', 'Any']), targetReplicatedJobs: texts })
          .exactOptional(),
        failurePolicy: z.lazy(failurePolicy).exactOptional(),
        startupPolicy: z.strictObject({ startupPolicyOrder: z.enum(['AnyOrder', 'InOrder']) }).exactOptional(),
        suspend: flag,
        coordinator: z
          .strictObject({
            replicatedJob: z.string(),
            jobIndex: number.exactOptional(),
            podIndex: number.exactOptional(),
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
    {
      description: 'The JobSet that runs a job.',
      immutable: ['network', 'successPolicy', 'failurePolicy', 'startupPolicy', 'volumeClaimPolicies'],
      checks: [
        {
          rule: "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && self.replicatedJobs.exists(x, has(x.dependsOn)))",
          message: 'startupPolicy InOrder and dependsOn exclude each other; remove one',
        },
      ],
      fields: {
        replicatedJobs: 'Groups of equal jobs.',
        network: 'How pods find each other.',
        successPolicy: 'When the JobSet has succeeded.',
        failurePolicy: 'What happens when a job fails.',
        startupPolicy: 'Whether replicated jobs start one after the other.',
        suspend: 'Whether the JobSet waits.',
        coordinator: 'The pod that others look to.',
        managedBy: 'Which controller takes care of the JobSet.',
        ttlSecondsAfterFinished: 'How many seconds the JobSet stays after it has finished.',
        volumeClaimPolicies: 'Volumes that pods of the JobSet share.',
      },
    },
  ),
)

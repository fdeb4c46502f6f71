import type { JobSet, JobSetFailurePolicy, JobSetSpec, JobSpec, ReplicatedJob } from '@trainjob/api'

/** What JobSet's CRD fills in, on every write. */
export function applySchemaDefaults(jobSet: JobSet): JobSet {
  const { replicatedJobs, failurePolicy, volumeClaimPolicies } = jobSet.spec
  return withSpec(jobSet, {
    ...(replicatedJobs !== undefined && {
      replicatedJobs: replicatedJobs.map((job) =>
        job.groupName !== undefined && job.replicas !== undefined ? job : { groupName: 'default', replicas: 1, ...job },
      ),
    }),
    ...(failurePolicy !== undefined && {
      failurePolicy: { restartStrategy: 'Recreate' as const, ...failurePolicy },
    }),
    ...(volumeClaimPolicies !== undefined && {
      volumeClaimPolicies: volumeClaimPolicies.map((policy) =>
        policy.retentionPolicy === undefined
          ? policy
          : { ...policy, retentionPolicy: { whenDeleted: 'Delete' as const, ...policy.retentionPolicy } },
      ),
    }),
  })
}

/** What JobSet's webhook fills in, in a new JobSet only. */
export function applyWebhookDefaults(jobSet: JobSet): JobSet {
  const { successPolicy, startupPolicy, replicatedJobs, network, failurePolicy, volumeClaimPolicies } = jobSet.spec
  return withSpec(jobSet, {
    successPolicy: successPolicy ?? { operator: 'All' },
    startupPolicy: startupPolicy ?? { startupPolicyOrder: 'AnyOrder' },
    network: { enableDNSHostnames: true, publishNotReadyAddresses: true, ...network },
    ...(replicatedJobs !== undefined && { replicatedJobs: replicatedJobs.map(withJobDefaults) }),
    ...(failurePolicy !== undefined && { failurePolicy: withRuleNames(failurePolicy) }),
    ...(volumeClaimPolicies !== undefined && {
      volumeClaimPolicies: volumeClaimPolicies.map((policy) => ({
        ...policy,
        retentionPolicy: policy.retentionPolicy ?? { whenDeleted: 'Delete' as const },
      })),
    }),
  })
}

function withSpec(jobSet: JobSet, changes: Partial<JobSetSpec>): JobSet {
  return { ...jobSet, spec: { ...jobSet.spec, ...changes } }
}

function withJobDefaults(job: ReplicatedJob): ReplicatedJob {
  const spec = job.template?.spec
  if (spec === undefined) return job
  const pod = spec.template?.spec
  const template =
    pod === undefined ? spec.template : { ...spec.template, spec: { restartPolicy: 'OnFailure' as const, ...pod } }
  const defaulted: JobSpec = { completionMode: 'Indexed', ...spec, template }
  return { ...job, template: { ...job.template, spec: defaulted } }
}

function withRuleNames(policy: JobSetFailurePolicy): JobSetFailurePolicy {
  if (policy.rules === undefined) return policy
  return {
    ...policy,
    rules: policy.rules.map((rule, at) => ({ ...rule, name: rule.name || `failurePolicyRule${at}` })),
  }
}

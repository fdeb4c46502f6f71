import type { JobTemplateSpec } from './job.ts'
import type { Condition, KubernetesObject } from './meta.ts'

/** `jobset.x-k8s.io/v1alpha2` as of JobSet v0.12. */
export interface JobSet extends KubernetesObject {
  spec: JobSetSpec
  status?: JobSetStatus
}

/** Spec of a JobSet. Source: kubernetes-sigs/jobset v0.12, api/jobset/v1alpha2. */
export interface JobSetSpec {
  replicatedJobs?: ReplicatedJob[]
  network?: { enableDNSHostnames?: boolean; subdomain?: string; publishNotReadyAddresses?: boolean }
  successPolicy?: { operator: 'All' | 'Any'; targetReplicatedJobs?: string[] }
  failurePolicy?: JobSetFailurePolicy
  startupPolicy?: { startupPolicyOrder: 'AnyOrder' | 'InOrder' }
  suspend?: boolean
  coordinator?: { replicatedJob: string; jobIndex?: number; podIndex?: number }
  managedBy?: string
  ttlSecondsAfterFinished?: number
  volumeClaimPolicies?: {
    templates: Record<string, unknown>[]
    retentionPolicy?: { whenDeleted?: 'Delete' | 'Retain' }
  }[]
}

/** `replicas` Jobs (1 when left out) of one template. */
export interface ReplicatedJob {
  name: string
  groupName?: string
  replicas?: number
  template: JobTemplateSpec
  dependsOn?: { name: string; status: 'Ready' | 'Complete' }[]
}

/** What a JobSet does when one of its Jobs has failed. */
export type FailurePolicyAction =
  | 'FailJobSet'
  | 'RestartJobSet'
  | 'RestartJobSetAndIgnoreMaxRestarts'
  | 'RestartJob'
  | 'RestartJobAndIgnoreMaxRestarts'

/** `maxRestarts` is 0 when left out. The first rule that fits decides; without one, the JobSet restarts. */
export interface JobSetFailurePolicy {
  maxRestarts?: number
  restartStrategy?: 'Recreate' | 'BlockingRecreate' | 'InPlaceRestart'
  rules?: {
    name?: string
    action: FailurePolicyAction
    targetReplicatedJobs?: string[]
    onJobFailureReasons?: string[]
    onJobFailureMessagePatterns?: string[]
  }[]
}

/** Status of a JobSet. */
export interface JobSetStatus {
  conditions?: Condition[]
  restarts?: number
  restartsCountTowardsMax?: number
  terminalState?: 'Completed' | 'Failed'
  replicatedJobsStatus?: ReplicatedJobStatus[]
}

/** Counts of the Jobs of one replicated job. */
export interface ReplicatedJobStatus {
  name: string
  ready: number
  succeeded: number
  failed: number
  active: number
  suspended: number
}

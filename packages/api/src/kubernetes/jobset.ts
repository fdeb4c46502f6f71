import type { JobTemplateSpec } from './job.ts'
import type { Condition, KubernetesObject } from './meta.ts'

/** `jobset.x-k8s.io/v1alpha2` as of JobSet v0.12. */
export interface JobSet extends KubernetesObject {
  spec: JobSetSpec
  status?: JobSetStatus
}

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

export interface ReplicatedJob {
  name: string
  groupName?: string
  replicas?: number
  template: JobTemplateSpec
  dependsOn?: { name: string; status: 'Ready' | 'Complete' }[]
}

export type FailurePolicyAction =
  | 'FailJobSet'
  | 'RestartJobSet'
  | 'RestartJobSetAndIgnoreMaxRestarts'
  | 'RestartJob'
  | 'RestartJobAndIgnoreMaxRestarts'

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

export interface JobSetStatus {
  conditions?: Condition[]
  restarts?: number
  restartsCountTowardsMax?: number
  terminalState?: 'Completed' | 'Failed'
  replicatedJobsStatus?: ReplicatedJobStatus[]
}

export interface ReplicatedJobStatus {
  name: string
  ready: number
  succeeded: number
  failed: number
  active: number
  suspended: number
}

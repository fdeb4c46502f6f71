import type { KubernetesObject, ObjectMeta } from './meta.ts'
import type { PodTemplateSpec } from './pod.ts'

/** Spec of a Job. Fields not named here are kept. */
export interface JobSpec {
  parallelism?: number
  completions?: number
  completionMode?: 'NonIndexed' | 'Indexed'
  backoffLimit?: number
  backoffLimitPerIndex?: number
  maxFailedIndexes?: number
  activeDeadlineSeconds?: number
  ttlSecondsAfterFinished?: number
  suspend?: boolean
  podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed'
  podFailurePolicy?: PodFailurePolicy
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] }
  managedBy?: string
  selector?: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] }
  manualSelector?: boolean
  template: PodTemplateSpec
  [field: string]: unknown
}

/** What a Job makes of a pod that failed; the first rule that fits decides. */
export interface PodFailurePolicy {
  rules: {
    action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count'
    onExitCodes?: { containerName?: string; operator: 'In' | 'NotIn'; values: number[] }
    onPodConditions?: { type: string; status?: string }[]
  }[]
}

/** What a JobSet makes Jobs of. */
export interface JobTemplateSpec {
  metadata?: ObjectMeta
  spec?: JobSpec
}

/** `batch/v1` Job. */
export interface Job extends KubernetesObject {
  spec: JobSpec
  status?: JobStatus
}

/** Unlike `Condition`, with optional reason and times. */
export interface JobCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastProbeTime?: string
  lastTransitionTime?: string
}

/** Counts are pods; indexes are written like `1,3-5`. Times are RFC 3339. */
export interface JobStatus {
  conditions?: JobCondition[]
  startTime?: string
  completionTime?: string
  active?: number
  ready?: number
  terminating?: number
  succeeded?: number
  failed?: number
  completedIndexes?: string
  failedIndexes?: string
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] }
}

import type { JobSet, ReplicatedJob, ReplicatedJobStatus } from '@trainjob/api'
import { replicasOf } from './names.ts'
import { type StatusDraft, setCondition } from './status-draft.ts'

/** Whether replicated jobs start one after the other. */
export function startsInOrder(jobSet: JobSet): boolean {
  return jobSet.spec.startupPolicy?.startupPolicyOrder === 'InOrder'
}

/**
 * Whether every Job has started, however it went on. A started Job that loses a ready pod counts as not started again,
 * as in JobSet itself.
 */
export function allReplicasStarted(job: ReplicatedJob, { failed, ready, succeeded }: ReplicatedJobStatus): boolean {
  return replicasOf(job) === failed + ready + succeeded
}

export function setStartupInProgress(draft: StatusDraft): void {
  setCondition(draft, {
    type: 'StartupPolicyInProgress',
    status: 'True',
    reason: 'InOrderStartupPolicyInProgress',
    message: 'in order startup policy is in progress',
  })
}

export function setStartupCompleted(draft: StatusDraft): void {
  setCondition(draft, {
    type: 'StartupPolicyCompleted',
    status: 'True',
    reason: 'InOrderStartupPolicyCompleted',
    message: 'in order startup policy has completed',
  })
}

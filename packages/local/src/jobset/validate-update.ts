import type { JobSet, PodTemplateSpec, ReplicatedJob } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { equal } from '../object/equal.ts'
import { isSuspended } from './suspension.ts'

/** Immutable by rules of the CRD, which compare two values: each may be added and removed. */
const CONSTANT = ['network', 'successPolicy', 'failurePolicy', 'startupPolicy', 'volumeClaimPolicies'] as const

/**
 * What may not change in a stored JobSet: nearly everything. While it is, or is being, suspended, the pod templates may
 * get other labels, annotations, node selectors, tolerations and scheduling gates. (Source: jobset v0.12.)
 */
export function validateJobSetUpdate(old: JobSet, jobSet: JobSet, issues: IssueList): void {
  for (const name of [...CONSTANT, 'managedBy'] as const) {
    const [before, after] = [old.spec[name], jobSet.spec[name]]
    const free = name !== 'managedBy' && (before === undefined || after === undefined)
    if (free || equal(before, after)) continue
    issues.add(`spec.${name}`, 'immutable', 'this field cannot be changed once the JobSet exists')
  }
  const mayPatch = isSuspended(old) || isSuspended(jobSet)
  const before = old.spec.replicatedJobs ?? []
  const after = jobSet.spec.replicatedJobs ?? []
  const frozen = (jobs: readonly ReplicatedJob[]) => (mayPatch ? jobs.map(frozenJob) : jobs)
  if (equal(frozen(before), frozen(after))) return
  const parts = 'labels, annotations, nodeSelector, tolerations and schedulingGates of its pod templates'
  const message = mayPatch
    ? `only ${parts} can be changed while a JobSet is suspended`
    : `this field cannot be changed; while the JobSet is suspended, ${parts} can`
  issues.add('spec.replicatedJobs', 'immutable', message)
}

function frozenJob(job: ReplicatedJob): unknown {
  const { spec } = job.template
  if (spec === undefined) return job
  return { ...job, template: { ...job.template, spec: { ...spec, template: frozenTemplate(spec.template) } } }
}

/** A template without the parts that may change. */
function frozenTemplate({ metadata, spec }: PodTemplateSpec): unknown {
  const { labels: _, annotations: __, ...restOfMetadata } = metadata ?? {}
  if (spec === undefined) return { metadata: restOfMetadata }
  const { nodeSelector: ___, tolerations: ____, schedulingGates: _____, ...restOfSpec } = spec
  return { metadata: restOfMetadata, spec: restOfSpec }
}

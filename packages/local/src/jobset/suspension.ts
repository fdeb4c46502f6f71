import type { Job, JobSet, PodTemplateSpec, ReplicatedJob } from '@trainjob/api'
import { equal } from '../object/equal.ts'
import { endRestart, type StatusDraft, setCondition } from './status-draft.ts'

const SUSPENDED = 'jobset is suspended'

export function isSuspended(jobSet: JobSet): boolean {
  return jobSet.spec.suspend === true
}

export function setSuspended(draft: StatusDraft): void {
  setCondition(draft, { type: 'Suspended', status: 'True', reason: 'SuspendedJobs', message: SUSPENDED })
  endRestart(draft, 'JobSetSuspended', SUSPENDED)
}

export function setResumed(draft: StatusDraft): void {
  setCondition(draft, { type: 'Suspended', status: 'False', reason: 'ResumeJobs', message: 'jobset is resumed' })
}

/** The Job, suspended; its pods go. */
export function suspendedJob(job: Job): Job {
  return { ...job, spec: { ...job.spec, suspend: true } }
}

/**
 * The Job, going on, with what may have changed in the JobSet's template meanwhile. Labels, annotations and node
 * selector of the template win, but what the Job has besides stays; tolerations and scheduling gates are united.
 */
export function resumedJob(job: Job, replicatedJob: ReplicatedJob): Job {
  const template = job.spec.template
  const wanted = replicatedJob.template.spec?.template
  return { ...job, spec: { ...job.spec, suspend: false, template: mergeTemplate(template, wanted) } }
}

function mergeTemplate(own: PodTemplateSpec, wanted: PodTemplateSpec | undefined): PodTemplateSpec {
  const labels = mergeMaps(own.metadata?.labels, wanted?.metadata?.labels)
  const annotations = mergeMaps(own.metadata?.annotations, wanted?.metadata?.annotations)
  const nodeSelector = mergeMaps(own.spec?.nodeSelector, wanted?.spec?.nodeSelector)
  const tolerations = mergeLists(own.spec?.tolerations, wanted?.spec?.tolerations)
  const schedulingGates = mergeLists(own.spec?.schedulingGates, wanted?.spec?.schedulingGates)
  return {
    ...own,
    metadata: { ...own.metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
    ...(own.spec !== undefined && {
      spec: {
        ...own.spec,
        ...(nodeSelector && { nodeSelector }),
        ...(tolerations && { tolerations }),
        ...(schedulingGates && { schedulingGates }),
      },
    }),
  }
}

function mergeMaps(
  own: Record<string, string> | undefined,
  wanted: Record<string, string> | undefined,
): Record<string, string> | undefined {
  return own === undefined && wanted === undefined ? undefined : { ...own, ...wanted }
}

function mergeLists<T>(own: T[] | undefined, wanted: T[] | undefined): T[] | undefined {
  if (own === undefined && wanted === undefined) return undefined
  const result: T[] = []
  for (const item of [...(own ?? []), ...(wanted ?? [])])
    if (!result.some((other) => equal(other, item))) result.push(item)
  return result
}

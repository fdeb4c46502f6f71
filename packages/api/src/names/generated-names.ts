import type { JobSetSpec, ReplicatedJob } from '../kubernetes/jobset.ts'
import { DNS_LABEL_MAX_LENGTH } from './names.ts'

/** A name that would be generated for a TrainJob and be too long. */
export interface LongName {
  /** The name that does not fit. */
  readonly generated: string
  readonly what: 'job' | 'pod'
  /** Name of the replicated job it belongs to. */
  readonly replicatedJob: string
  /** Length of the longest TrainJob name for which every name fits; 0 or less when none does. */
  readonly longest: number
}

/** What is appended to a pod's name by whoever creates it. */
const POD_SUFFIX = '-xxxxx'

/**
 * Name of the Job that JobSet creates.
 *
 * @example
 * jobName('mnist', 'node', 0) // => 'mnist-node-0'
 */
export function jobName(jobSet: string, replicatedJob: string, replica: number): string {
  return `${jobSet}-${replicatedJob}-${replica}`
}

/**
 * Name of a pod of such a Job, without the random suffix; its host name.
 *
 * @example
 * podName('mnist', 'node', 0, 3) // => 'mnist-node-0-3'
 */
export function podName(jobSet: string, replicatedJob: string, replica: number, index: number): string {
  return `${jobSet}-${replicatedJob}-${replica}-${index}`
}

/**
 * Looks for the longest name that would be generated for a TrainJob (or JobSet) of this name, and answers with it if it
 * has more than 63 characters. JobSet refuses such jobs, but only after the TrainJob was accepted.
 *
 * @param spec the JobSet as it will be created: with the replica and completion counts the job really gets.
 * Source: kubernetes-sigs/jobset, pkg/webhooks/jobset_webhook.go.
 *
 * @example
 * const spec = { replicatedJobs: [{ name: 'node', template: { spec: { completions: 4, template: {} } } }] }
 * findLongName('mnist', spec) // => undefined
 * findLongName('m'.repeat(60), spec)
 * // => { generated: `${'m'.repeat(60)}-node-0-3-xxxxx`, what: 'pod', replicatedJob: 'node', longest: 48 }
 */
export function findLongName(name: string, spec: Pick<JobSetSpec, 'replicatedJobs'>): LongName | undefined {
  let found: Omit<LongName, 'longest'> | undefined
  let longest = DNS_LABEL_MAX_LENGTH
  for (const replicatedJob of spec.replicatedJobs ?? []) {
    for (const { what, text } of generatedNames(name, replicatedJob)) {
      longest = Math.min(longest, DNS_LABEL_MAX_LENGTH - (text.length - name.length))
      if (text.length > DNS_LABEL_MAX_LENGTH && text.length > (found?.generated.length ?? 0)) {
        found = { generated: text, what, replicatedJob: replicatedJob.name }
      }
    }
  }
  return found === undefined ? undefined : { ...found, longest }
}

/**
 * The most characters a TrainJob's name may have for this JobSet.
 *
 * @example
 * longestName({ replicatedJobs: [{ name: 'node', template: { spec: { completions: 4, template: {} } } }] }) // => 48
 */
export function longestName(spec: Pick<JobSetSpec, 'replicatedJobs'>): number {
  return findLongName('x'.repeat(DNS_LABEL_MAX_LENGTH + 1), spec)?.longest ?? DNS_LABEL_MAX_LENGTH
}

function generatedNames(name: string, job: ReplicatedJob): { what: 'job' | 'pod'; text: string }[] {
  const lastReplica = Math.max(0, (job.replicas ?? 1) - 1)
  const names: { what: 'job' | 'pod'; text: string }[] = [{ what: 'job', text: jobName(name, job.name, lastReplica) }]
  const { completionMode, completions } = job.template.spec ?? {}
  // JobSet makes Jobs indexed unless told otherwise, and looks at pod names only where the count is written down
  if (completionMode !== 'NonIndexed' && completions !== undefined) {
    const lastIndex = Math.max(0, completions - 1)
    names.push({ what: 'pod', text: podName(name, job.name, lastReplica, lastIndex) + POD_SUFFIX })
  }
  return names
}

import type { JobSet, ReplicatedJob } from '@trainjob/api'
import { dns1035LabelFault, dnsSubdomainFault, labelValueFault } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { checkManagedBy } from '../managed-by-issues.ts'
import { checkPodTemplate } from '../pod-template-issues.ts'
import { coordinatorEndpoint, jobName, podHostname, replicasOf } from './names.ts'
import { validateFailurePolicy } from './validate-failure-policy.ts'
import { validateVolumeClaims } from './validate-volume-claims.ts'

const MAX_NAME = 63
const MAX_INT32 = 2 ** 31 - 1
const MAX_DEPENDENCIES = 5
/** What a pod's name gets from the Job controller. */
const POD_SUFFIX = '-abcde'

/** What JobSet refuses in a new JobSet. (Source: jobset v0.12, jobset_webhook.go and the CRD's rules.) */
export function validateJobSet(jobSet: JobSet, issues: IssueList): void {
  const { spec } = jobSet
  const jobs = spec.replicatedJobs ?? []
  const names = new Set(jobs.map(({ name }) => name))
  if ((jobs[0]?.dependsOn?.length ?? 0) > 0) {
    issues.add(
      'spec.replicatedJobs[0].dependsOn',
      'invalid-value',
      'the first replicated job has nothing to depend on; leave it out',
    )
  }
  if (spec.startupPolicy?.startupPolicyOrder === 'InOrder' && jobs.some(({ dependsOn }) => dependsOn !== undefined)) {
    issues.add('spec', 'invalid-value', 'startupPolicy InOrder and dependsOn exclude each other; keep dependsOn')
  }
  validateSubdomain(spec.network?.subdomain, issues)
  checkManagedBy(spec.managedBy, issues)
  const seen = new Set<string>()
  for (const [at, job] of jobs.entries()) validateReplicatedJob(jobSet, job, `spec.replicatedJobs[${at}]`, seen, issues)
  for (const [at, target] of (spec.successPolicy?.targetReplicatedJobs ?? []).entries()) {
    if (names.has(target)) continue
    issues.add(`spec.successPolicy.targetReplicatedJobs[${at}]`, 'invalid-value', unknownJob(target, names))
  }
  validateFailurePolicy(spec.failurePolicy, names, issues)
  validateCoordinator(jobSet, issues)
  validateVolumeClaims(jobSet, issues)
}

/** @param seen names of the replicated jobs before this one, which is added */
function validateReplicatedJob(
  jobSet: JobSet,
  job: ReplicatedJob,
  path: string,
  seen: Set<string>,
  issues: IssueList,
): void {
  const { metadata } = jobSet
  if (!job.name) issues.add(`${path}.name`, 'required', 'expected a name, found none')
  else if (seen.has(job.name))
    issues.add(`${path}.name`, 'duplicate-key', `expected a name of its own, found ${job.name} again`)
  seen.add(job.name)
  const spec = job.template?.spec
  if (spec === undefined) {
    issues.add(`${path}.template.spec`, 'required', 'expected the spec of a Job, found none')
    return
  }
  const replicas = replicasOf(job)
  if (!Number.isInteger(replicas) || replicas < 0) {
    issues.add(`${path}.replicas`, 'invalid-value', `expected a whole number of 0 or more, found ${replicas}`)
  } else if (replicas * (spec.parallelism ?? 1) > MAX_INT32) {
    issues.add(path, 'invalid-value', `expected replicas × parallelism of at most ${MAX_INT32}, found more`)
  }
  const group = job.groupName === undefined ? undefined : dns1035LabelFault(job.groupName)
  if (group !== undefined) issues.add(`${path}.groupName`, 'invalid-value', group)
  validateNames(metadata.name ?? '', job, path, issues)
  if ((job.dependsOn?.length ?? 0) > MAX_DEPENDENCIES) {
    issues.add(
      `${path}.dependsOn`,
      'too-many',
      `expected at most ${MAX_DEPENDENCIES} dependencies, found ${job.dependsOn?.length}`,
    )
  }
  for (const [at, { name, status }] of (job.dependsOn ?? []).entries()) {
    // JobSet itself lets a replicated job depend on itself; it would never start.
    if (!seen.has(name) || name === job.name) {
      issues.add(
        `${path}.dependsOn[${at}].name`,
        'invalid-value',
        `expected a replicated job that stands before ${job.name}, found ${name}`,
      )
    }
    if (status !== 'Ready' && status !== 'Complete') {
      issues.add(
        `${path}.dependsOn[${at}].status`,
        'not-supported',
        `expected Ready or Complete, found ${JSON.stringify(status)}`,
      )
    }
  }
  checkPodTemplate(spec.template, `${path}.template.spec.template`, issues)
}

/** The longest names that would be generated must be DNS labels, the longest first. A name to be generated is not checked. */
function validateNames(jobSet: string, job: ReplicatedJob, path: string, issues: IssueList): void {
  if (jobSet === '') return
  const last = Math.max(0, replicasOf(job) - 1)
  const { completionMode, completions } = job.template.spec ?? {}
  const generated = [{ what: 'Job', name: jobName(jobSet, job.name, last) }]
  if (completionMode === 'Indexed' && completions !== undefined) {
    generated.unshift({
      what: 'pod',
      name: podHostname(jobSet, job.name, last, Math.max(0, completions - 1)) + POD_SUFFIX,
    })
  }
  for (const { what, name } of generated) {
    const fault = dns1035LabelFault(name)
    if (fault === undefined) continue
    if (name.length <= MAX_NAME) {
      issues.add(`${path}.name`, 'invalid-value', `the ${what} name ${name}: ${fault}`)
      return
    }
    const fits = MAX_NAME - (name.length - jobSet.length)
    issues.add(
      `${path}.name`,
      'name-too-long',
      `the ${what} name ${name} would have ${name.length} characters, and ${MAX_NAME} are allowed; the longest JobSet name that fits has ${fits}`,
    )
    return
  }
}

function validateSubdomain(subdomain: string | undefined, issues: IssueList): void {
  if (subdomain === undefined || subdomain === '') return
  const fault = dnsSubdomainFault(subdomain) ?? dns1035LabelFault(subdomain)
  if (fault !== undefined) issues.add('spec.network.subdomain', 'invalid-value', fault)
}

function validateCoordinator(jobSet: JobSet, issues: IssueList): void {
  const { coordinator, replicatedJobs = [] } = jobSet.spec
  if (coordinator === undefined) return
  const path = 'spec.coordinator'
  const { jobIndex = 0, podIndex = 0 } = coordinator
  const job = replicatedJobs.find(({ name }) => name === coordinator.replicatedJob)
  if (job === undefined) {
    const names = new Set(replicatedJobs.map(({ name }) => name))
    issues.add(`${path}.replicatedJob`, 'invalid-value', unknownJob(coordinator.replicatedJob, names))
    return
  }
  const { completionMode, completions } = job.template?.spec ?? {}
  if (jobIndex < 0 || jobIndex >= replicasOf(job)) {
    issues.add(
      `${path}.jobIndex`,
      'invalid-value',
      `expected an index below the ${replicasOf(job)} replicas of ${job.name}, found ${jobIndex}`,
    )
  } else if (completionMode !== 'Indexed' || completions === undefined) {
    issues.add(
      path,
      'invalid-value',
      `expected ${job.name} to have completionMode Indexed and completions; its pods have no index otherwise`,
    )
  } else if (podIndex < 0 || podIndex >= completions) {
    issues.add(
      `${path}.podIndex`,
      'invalid-value',
      `expected an index below the ${completions} completions of ${job.name}, found ${podIndex}`,
    )
  }
  const endpoint = coordinatorEndpoint(jobSet) ?? ''
  const fault = labelValueFault(endpoint)
  if (fault !== undefined) issues.add(path, 'invalid-value', `its address ${endpoint} becomes a label: ${fault}`)
}

function unknownJob(name: string, names: ReadonlySet<string>): string {
  return `expected one of the replicated jobs (${[...names].join(', ')}), found ${name}`
}

import type { Job, JobSet, JobSpec } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import type { Scenario } from './scenario.ts'

/** A field that decides how a Job or JobSet goes on, and whether an object uses it. */
export interface Policy {
  readonly name: string
  usedBy(object: KubeObject): boolean
}

/** The policies of both engines: the fields of JobSet v1alpha2 and of batch/v1 that change what happens. */
export const POLICIES: readonly Policy[] = [
  ofJobSet('failurePolicy.maxRestarts', ({ failurePolicy }) => failurePolicy?.maxRestarts !== undefined),
  ofJobSet('failurePolicy.rules', ({ failurePolicy }) => failurePolicy?.rules !== undefined),
  ofJobSet(
    'failurePolicy.restartStrategy Recreate',
    ({ failurePolicy: policy }) =>
      policy?.maxRestarts !== undefined && (policy.restartStrategy ?? 'Recreate') === 'Recreate',
  ),
  ofJobSet(
    'failurePolicy.restartStrategy BlockingRecreate',
    ({ failurePolicy }) => failurePolicy?.restartStrategy === 'BlockingRecreate',
  ),
  ofJobSet('successPolicy', ({ successPolicy }) => successPolicy !== undefined),
  ofJobSet('startupPolicy', ({ startupPolicy }) => startupPolicy !== undefined),
  ofJobSet('dependsOn', ({ replicatedJobs = [] }) => replicatedJobs.some(({ dependsOn }) => dependsOn !== undefined)),
  ofJobSet('groupName', ({ replicatedJobs = [] }) => replicatedJobs.some(({ groupName }) => groupName !== undefined)),
  ofJobSet('suspend', ({ suspend }) => suspend !== undefined),
  ofJobSet('network', ({ network }) => network !== undefined),
  ofJobSet('coordinator', ({ coordinator }) => coordinator !== undefined),
  ofJobSet('managedBy', ({ managedBy }) => managedBy !== undefined),
  ofJobSet('ttlSecondsAfterFinished', ({ ttlSecondsAfterFinished: ttl }) => ttl !== undefined),
  ofJobSet('volumeClaimPolicies', ({ volumeClaimPolicies }) => volumeClaimPolicies !== undefined),
  ...(
    [
      'backoffLimit',
      'backoffLimitPerIndex',
      'podFailurePolicy',
      'successPolicy',
      'podReplacementPolicy',
      'suspend',
      'activeDeadlineSeconds',
      'ttlSecondsAfterFinished',
      'managedBy',
      'parallelism',
      'completions',
    ] as const
  ).map((field) => ofJob(field, (spec) => spec[field] !== undefined)),
  ofJob('completionMode Indexed', ({ completionMode }) => completionMode === 'Indexed'),
]

/** Patches may be about something else. */
const NONE = {} as JobSet['spec'] & JobSpec

function ofJobSet(name: string, uses: (spec: JobSet['spec']) => boolean): Policy {
  return {
    name: `JobSet: ${name}`,
    usedBy: (object) => object.kind === 'JobSet' && uses((object as Partial<JobSet>).spec ?? NONE),
  }
}

function ofJob(name: string, uses: (spec: JobSpec) => boolean): Policy {
  return {
    name: `Job: ${name}`,
    usedBy: (object) => object.kind === 'Job' && uses((object as Partial<Job>).spec ?? NONE),
  }
}

/** Objects as a scenario makes them and as it changes them. */
export function objectsOf({ steps }: Scenario): readonly KubeObject[] {
  return steps.flatMap((step): KubeObject[] => {
    if ('create' in step) return [step.create]
    if (!('patch' in step)) return []
    return [{ metadata: {}, ...step.body, kind: step.patch.split('/', 1)[0] as string, apiVersion: '' }]
  })
}

/** Something goes wrong: a pod, or the request itself (objects that no server takes are called `refused`). */
export function goesWrong({ steps }: Scenario): boolean {
  return steps.some((step) => {
    if ('create' in step) return step.create.metadata.name?.startsWith('refused') === true
    if ('evict' in step) return true
    if (!('become' in step)) return false
    const { become } = step
    return become === 'vanished' || (typeof become === 'object' && !('exitCode' in become && become.exitCode === 0))
  })
}

/** Somebody suspends it, or it begins suspended. */
export function isSuspended(scenario: Scenario): boolean {
  return objectsOf(scenario).some((object) => (object as Partial<Job>).spec?.suspend === true)
}

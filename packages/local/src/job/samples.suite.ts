import type { Job, JobSpec, JobStatus, Pod, PodStatus } from '@trainjob/api'
import { defaultJob } from './defaults.ts'
import { COMPLETION_INDEX, TRACKING_FINALIZER } from './labels.ts'
import { type JobPass, reconcileJob } from './reconcile.ts'
import { timestamp } from './timestamp.ts'

/** What tests of the Job engine take as now. */
export const NOW: number = Date.parse('2026-05-01T12:00:00Z')

/** A Job as it is stored: defaulted, with a uid. */
export function sampleJob(spec: Partial<JobSpec> = {}, status?: JobStatus): Job {
  return defaultJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'train', namespace: 'default', uid: 'job-uid', creationTimestamp: timestamp(NOW) },
    spec: {
      completionMode: 'Indexed',
      completions: 2,
      parallelism: spec.completions ?? 2,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'node' }] } },
      ...spec,
    },
    ...(status !== undefined && { status }),
  })
}

export interface SamplePod {
  /** Also its uid. */
  readonly name: string
  readonly index?: number
  readonly phase?: NonNullable<PodStatus['phase']>
  readonly ready?: boolean
  readonly deleted?: boolean
  /** Still carries the Job's finalizer; true when left out. */
  readonly tracked?: boolean
  readonly exitCode?: number
  readonly restarts?: number
  readonly finishedAt?: number
  readonly annotations?: Record<string, string>
  readonly node?: string
}

/** A pod of the sample Job, pending when nothing else is said. */
export function samplePod(pod: SamplePod): Pod {
  const { name, index, phase = 'Pending', exitCode, restarts = 0, finishedAt = NOW } = pod
  const terminated = exitCode !== undefined && { terminated: { exitCode, finishedAt: timestamp(finishedAt) } }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      namespace: 'default',
      creationTimestamp: timestamp(NOW),
      annotations: { ...(index !== undefined && { [COMPLETION_INDEX]: `${index}` }), ...pod.annotations },
      finalizers: pod.tracked === false ? [] : [TRACKING_FINALIZER],
      ...(pod.deleted && { deletionTimestamp: timestamp(NOW) }),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'train', uid: 'job-uid', controller: true }],
    },
    spec: { containers: [{ name: 'node' }], ...(pod.node !== undefined && { nodeName: pod.node }) },
    status: {
      phase,
      conditions: pod.ready ? [{ type: 'Ready', status: 'True' }] : [],
      containerStatuses: [
        {
          name: 'node',
          ready: pod.ready ?? false,
          restartCount: restarts,
          image: '',
          imageID: '',
          state: { ...terminated },
        },
      ],
    },
  }
}

/** One pass at `NOW`, or so many milliseconds later. */
export function pass(job: Job, pods: readonly Pod[] = [], afterMs = 0): JobPass {
  return reconcileJob({
    job,
    pods,
    now: NOW + afterMs,
    random: () => 0,
    backoff: { initialMs: 10_000, maxMs: 600_000 },
  })
}

/** Names of pods, for comparing. */
export function names(pods: readonly Pod[]): string[] {
  return pods.map(({ metadata }) => metadata.name ?? '')
}

/** Conditions as `Type=Status/Reason`. */
export function conditionTexts(status: JobStatus | undefined): string[] {
  return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value}/${reason}`)
}

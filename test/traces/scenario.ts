import type { KubeObject } from '@trainjob/kube'

/** What happens to a few objects, one step after the other. Plain data: it is played on every kind of cluster alike. */
export interface Scenario {
  /** A sentence that says what is to be seen. */
  readonly name: string
  readonly steps: readonly Step[]
}

/** After each step everything is left alone until nothing moves any more. */
export type Step =
  | { readonly create: KubeObject }
  /** A merge patch. */
  | { readonly patch: Target; readonly body: object }
  | { readonly delete: Target; readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' }
  /** What a kubelet would report. */
  | { readonly pods: PodChoice; readonly become: PodState }
  /** Pods are deleted by somebody; a kubelet has not noticed yet. */
  | { readonly evict: PodChoice }
  /** Time goes by. */
  | { readonly seconds: number }

/** `Job/name` and the like. */
export type Target = `${'Job' | 'JobSet' | 'Service' | 'PersistentVolumeClaim'}/${string}`

/** Pods of one Job: those that are neither ended nor being deleted, unless said otherwise. */
export interface PodChoice {
  readonly job: string
  /** Completion indexes; all when left out. */
  readonly indexes?: readonly number[]
  /** So many of them; all when left out. */
  readonly count?: number
  /** Those that are being deleted instead. */
  readonly terminating?: true
}

/** A state that a kubelet reports. Ends lie an hour back, so that nobody waits before replacing the pod. */
export type PodState =
  /** Its containers run, but are not ready. */
  | 'running'
  | 'ready'
  | 'succeeded'
  | { readonly exitCode: number /** It ended just now. */; readonly now?: true }
  /** Runs, after so many restarts of its container. */
  | { readonly restarts: number }
  /** Failed because of a disruption such as an eviction: condition `DisruptionTarget` of that reason. */
  | { readonly disrupted: string }
  /** The end of a pod that is being deleted: its containers were killed, and the object goes. */
  | 'gone'
  /** The object goes without a word about its containers. */
  | 'vanished'

/** Puts a step in words. */
export function describeStep(step: Step): string {
  if ('create' in step) return `create ${step.create.kind}/${step.create.metadata.name}`
  if ('patch' in step) return `patch ${step.patch} ${JSON.stringify(step.body)}`
  if ('delete' in step) return `delete ${step.delete} ${step.propagationPolicy ?? ''}`.trimEnd()
  if ('evict' in step) return `delete pods ${JSON.stringify(step.evict)}`
  if ('seconds' in step) return `wait ${step.seconds} s`
  return `pods ${JSON.stringify(step.pods)} become ${JSON.stringify(step.become)}`
}

import type {
  Container,
  EnvVar,
  Issue,
  JobSetSpec,
  MLPolicy,
  ObjectMeta,
  PodGroupPolicy,
  PodSpec,
  ReplicatedJob,
  Trainer,
  TrainJob,
} from '@trainjob/api'
import type { DeviationId } from './deviations.ts'
import type { Facts, KeySource, StatusServer } from './types.ts'

/**
 * One rendering in progress, handed from plugin to plugin.
 *
 * Plugins may write to what is not `readonly`, to the maps, and to the upper parts of the template: `template` itself,
 * its replicated jobs, their job and pod specs, the lists of containers and init containers, and the containers. Whatever
 * lies below (env lists, volumes, …) belongs to the runtime or the TrainJob: replace it, never change it.
 */
export interface Info {
  readonly trainJob: TrainJob
  readonly namespace: string
  /** `spec.trainer`, as far as plugins have rewritten it. */
  trainer: Trainer | undefined
  /** `spec.trainer.env` in the form it has in containers. */
  readonly trainerEnv: readonly EnvVar[]
  mlPolicy: MLPolicy | undefined
  readonly podGroupPolicy: PodGroupPolicy | undefined
  /** Of the JobSet. */
  readonly labels: Record<string, string>
  /** Of the JobSet. */
  readonly annotations: Record<string, string>
  readonly template: JobSetSpec
  /** One for each replicated job of the template, in the same order. */
  readonly podSets: readonly PodSet[]
  readonly facts: Facts
  /** Labels and annotations of the runtime. */
  readonly runtimeMetadata: ObjectMeta
  /** What is to be said about the rendering; plugins add to it. */
  readonly warnings: RenderWarning[]
  readonly keys: Partial<KeySource>
  readonly statusServer: StatusServer | undefined
  /** Whether this deliberate difference from upstream is on. */
  deviates(id: DeviationId): boolean
}

/** Something that works, though perhaps not as meant. */
export type RenderWarning = Pick<Issue, 'path' | 'code' | 'message'>

/** The pods of a replicated job. */
export interface PodSet {
  readonly name: string
  /** Value of the ancestor label. */
  readonly ancestor: string | undefined
  /** Pods per job; becomes parallelism and completions. */
  count: number
  readonly job: ReplicatedJob
  readonly podSpec: PodSpec
  readonly containers: Container[]
  readonly initContainers: Container[]
  /** On top of what the template says. */
  readonly podLabels: Record<string, string>
  /** On top of what the template says. */
  readonly podAnnotations: Record<string, string>
  /** Host names of the pods, in order of job and pod index; set by a pod network plugin. */
  endpoints: () => Iterable<string>
}

/** The first pod set with this ancestor label. */
export function podSetOfAncestor(info: Info, ancestor: string): PodSet | undefined {
  return info.podSets.find((podSet) => podSet.ancestor === ancestor)
}

/** The first container with this name in the first pod set with this ancestor label. */
export function containerOfAncestor(info: Info, ancestor: string, name: string): Container | undefined {
  return podSetOfAncestor(info, ancestor)?.containers.find((container) => container.name === name)
}

/** The container, else the init container, of that name in the pod set of that name. */
export function containerOfPodSet(info: Info, podSetName: string, name: string): Container | undefined {
  const podSet = info.podSets.find((candidate) => candidate.name === podSetName)
  return (
    podSet?.containers.find((container) => container.name === name) ??
    podSet?.initContainers.find((container) => container.name === name)
  )
}

/** Whether the pods have a container or an init container of that name. */
export function hasContainer({ containers, initContainers }: PodSet, name: string): boolean {
  return (
    containers.some((container) => container.name === name) ||
    initContainers.some((container) => container.name === name)
  )
}

import type { AnyTrainingRuntime, Findings, KubernetesObject, TrainJob } from '@trainjob/api'

/**
 * What the renderer must be told about the world, because it looks at nothing itself. Everything is optional: what is
 * absent counts as not being in the cluster.
 */
export interface Facts {
  /** Objects that exist already: the JobSet of a running job, PriorityClasses, RuntimeClasses, LimitRanges, … */
  readonly objects?: readonly KubernetesObject[]
}

/** What rendering depends on besides the job and its runtime. */
export interface RenderOptions {
  readonly facts?: Facts
  /** `upstream` switches every deliberate difference of docs/deviations.md off. */
  readonly compat?: 'upstream'
}

/** A group of equal pods of the rendered job. */
export interface RenderedPodSet {
  readonly name: string
  /** Value of the ancestor label, when there is one. */
  readonly ancestor?: string
  readonly count: number
}

/** What a TrainJob stands for. */
export interface Rendered {
  /** In apply order, with apiVersion, kind, namespace and owner reference. Empty when nothing may change (a running JobSet). */
  readonly objects: readonly KubernetesObject[]
  readonly podSets: readonly RenderedPodSet[]
  readonly warnings: Findings['warnings']
}

/** `render(trainJob, runtime, options)`: throws `RenderError` (code, message, path); never changes its arguments. */
export type Render = (trainJob: TrainJob, runtime: AnyTrainingRuntime, options?: RenderOptions) => Rendered

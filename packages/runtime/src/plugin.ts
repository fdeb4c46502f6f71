import type { AnyTrainingRuntime, Issue, KubernetesObject, TrainJob } from '@trainjob/api'
import type { FactKey } from './find-fact.ts'
import type { Info } from './info.ts'

/**
 * The extension points of the renderer, in the order they run. A plugin implements those it needs; each one looks at
 * the policies itself and does nothing when it is not meant.
 * Model: kubeflow/trainer, pkg/runtime/framework/interface.go.
 */

/** Sets what a training framework needs: node counts, environment, ports, volumes. */
export interface EnforceMLPolicyPlugin {
  enforceMLPolicy(info: Info): void
}

/** Sets what a gang scheduler needs on pods. */
export interface EnforcePodGroupPolicyPlugin {
  enforcePodGroupPolicy(info: Info): void
}

/** Says under which names the pods will find each other (`PodSet.endpoints`). */
export interface PodNetworkPlugin {
  identifyPodNetwork(info: Info): void
}

/** Changes the template when everything else is in it, and before any object is built. */
export interface CompleteTemplatePlugin {
  completeTemplate(info: Info): void
}

/** Makes objects. `syncParallelCount` of all plugins runs before the first `build`. */
export interface ComponentBuilderPlugin {
  /** Writes the pod sets' counts into the template. */
  syncParallelCount?(info: Info): void
  build(info: Info): readonly KubernetesObject[]
  /** Objects that `build` or `validate` must know about when they exist. */
  factsWanted?(trainJob: TrainJob, runtime: AnyTrainingRuntime): readonly FactKey[]
}

/** Objects to a TrainJob before it is stored. `info` is as before `enforceMLPolicy`. */
export interface CustomValidationPlugin {
  validate(info: Info, old: TrainJob | undefined, findings: FindingsCollector): void
}

/** Where validation reports what it finds. */
export interface FindingsCollector {
  error(finding: Pick<Issue, 'path' | 'code' | 'message'>): void
  warning(finding: Pick<Issue, 'path' | 'code' | 'message'>): void
}

/** Anything that implements some of the extension points. */
export interface Plugin
  extends Partial<EnforceMLPolicyPlugin>,
    Partial<EnforcePodGroupPolicyPlugin>,
    Partial<PodNetworkPlugin>,
    Partial<CompleteTemplatePlugin>,
    Partial<ComponentBuilderPlugin>,
    Partial<CustomValidationPlugin> {
  readonly name: string
}

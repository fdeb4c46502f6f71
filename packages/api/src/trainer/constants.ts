/**
 * Names that Kubeflow Trainer gives things: labels, annotations, values of them.
 * Source: kubeflow/trainer v2.3.0, pkg/constants/constants.go and pkg/apis/trainer/v1alpha1.
 */

/** On a job template of a runtime: which part of the TrainJob fills it in; one of the three values below. */
export const ANCESTOR_LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step'
/** Filled in by `spec.trainer`. */
export const ANCESTOR_TRAINER = 'trainer'
/** Filled in by `spec.initializer.dataset`. */
export const ANCESTOR_DATASET_INITIALIZER = 'dataset-initializer'
/** Filled in by `spec.initializer.model`. */
export const ANCESTOR_MODEL_INITIALIZER = 'model-initializer'

/** Name of the replicated job and of the container that trains. */
export const NODE_NAME = 'node'
/** Name of the replicated job that starts MPI. */
export const LAUNCHER_NAME = 'launcher'

/** The container that must be there in a job template with the ancestor label. */
export const ANCESTOR_CONTAINERS: Readonly<Record<string, string>> = {
  [ANCESTOR_TRAINER]: NODE_NAME,
  [ANCESTOR_DATASET_INITIALIZER]: ANCESTOR_DATASET_INITIALIZER,
  [ANCESTOR_MODEL_INITIALIZER]: ANCESTOR_MODEL_INITIALIZER,
}

/** On a runtime: which framework it is made for. Source: manifests/base/runtimes. */
export const FRAMEWORK_LABEL = 'trainer.kubeflow.org/framework'
/** On a runtime: `deprecated` means that it will go. */
export const SUPPORT_LABEL = 'trainer.kubeflow.org/support'
/** Value of that label. */
export const SUPPORT_DEPRECATED = 'deprecated'
/** Where upstream says what becomes of deprecated runtimes. */
export const RUNTIME_DEPRECATION_POLICY_URL =
  'https://trainer.kubeflow.org/en/latest/operator-guides/runtime.html#runtime-deprecation-policy'

/** Trainer 2.2 put it on runtimes, so that one that a TrainJob uses did not go away; 2.3 only takes it off. */
export const RESOURCE_IN_USE_FINALIZER = 'trainer.kubeflow.org/resource-in-use'

/** Value of `spec.managedBy`: the TrainJob controller, also when the field is left out. */
export const MANAGED_BY_TRAINER = 'trainer.kubeflow.org/trainjob-controller'
/** Value of `spec.managedBy`: MultiKueue runs the job in another cluster. */
export const MANAGED_BY_MULTIKUEUE = 'kueue.x-k8s.io/multikueue'

/** Prefix of the annotations that are this project's own. */
export const OWN_PREFIX = 'trainjob.dev/'

/** Where the dataset initializer puts what it fetches. */
export const DATASET_MOUNT_PATH = '/workspace/dataset'
/** Where the model initializer puts what it fetches. */
export const MODEL_MOUNT_PATH = '/workspace/model'

/** Type of a condition: suspended, or resumed when `False`. */
export const TRAINJOB_SUSPENDED = 'Suspended'
/** Type of a condition: ended well. */
export const TRAINJOB_COMPLETE = 'Complete'
/** Type of a condition: ended badly. */
export const TRAINJOB_FAILED = 'Failed'

/** Reason of `Suspended` that is `True`. */
export const REASON_SUSPENDED = 'Suspended'
/** Reason of `Suspended` that is `False`. */
export const REASON_RESUMED = 'Resumed'
/** Reason of `Failed`: the runtime is not there, or no plugin can build it. */
export const REASON_RUNTIME_NOT_SUPPORTED = 'TrainingRuntimeNotSupported'
/** Reason of `Failed`: `activeDeadlineSeconds` have passed. Other reasons come from the JobSet. */
export const REASON_DEADLINE_EXCEEDED = 'DeadlineExceeded'

/** Message with `REASON_SUSPENDED`. */
export const MESSAGE_SUSPENDED = 'TrainJob is suspended'
/** Message with `REASON_RESUMED`. */
export const MESSAGE_RESUMED = 'TrainJob is resumed'
/** Message with `REASON_DEADLINE_EXCEEDED`. */
export const MESSAGE_DEADLINE_EXCEEDED = 'TrainJob exceeded its active deadline'

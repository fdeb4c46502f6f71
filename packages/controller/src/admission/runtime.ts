import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  type KubernetesObject,
  type ResourceType,
  TrainingRuntimes,
} from '@trainjob/api'
import { validateRuntime } from '@trainjob/runtime'
import type { AdmissionHook, AdmissionRequest, AdmissionVerdict } from './hook.ts'

/** On a runtime: it is not checked, so that it can be installed before the webhook is up. */
const VALIDATION_LABEL = 'trainer.kubeflow.org/webhook-validation'

/**
 * Defaulting and validation of both kinds of runtime, on creation and on every update of the spec. (Upstream checks
 * updates of the cluster's runtimes only, kubeflow/trainer#3686.)
 */
export function runtimeAdmission(options: { readonly compat?: 'upstream' } = {}): readonly AdmissionHook[] {
  return [hook(TrainingRuntimes, options.compat), hook(ClusterTrainingRuntimes, options.compat)]
}

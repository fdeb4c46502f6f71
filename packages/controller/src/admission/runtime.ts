import { isDeepStrictEqual } from 'node:util'
import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  type KubernetesObject,
  type ResourceType,
  TrainingRuntimes,
} from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { validateRuntime } from '@trainjob/runtime'
import type { AdmissionHook, AdmissionRequest, AdmissionVerdict } from './hook.ts'
import { untranslated } from './untranslated.ts'
import { withdrawalIssues } from './withdrawn-fields.ts'

/** On a runtime, with `disabled`: it is not checked, so that it can be installed together with the webhook. */
const VALIDATION_LABEL = 'trainer.kubeflow.org/webhook-validation'

const ACCEPTED: AdmissionVerdict = { errors: [], warnings: [] }

/**
 * Defaulting and validation of both kinds of runtime, when created and when the spec is changed. (Upstream checks
 * changes of the cluster's runtimes only, kubeflow/trainer#3686.)
 *
 * @example
 * runtimeAdmission().map(({ resource }) => resource.kind) // => ['TrainingRuntime', 'ClusterTrainingRuntime']
 */
export function runtimeAdmission(options: { readonly compat?: 'upstream' } = {}): readonly AdmissionHook[] {
  return [hook(TrainingRuntimes, options.compat), hook(ClusterTrainingRuntimes, options.compat)]
}

function hook<T extends AnyTrainingRuntime>(resource: ResourceType<T>, compat: 'upstream' | undefined): AdmissionHook {
  return {
    // the server hands a hook the kind it asks for
    resource: resource as ResourceType<KubernetesObject>,
    async mutate({ object, oldObject, operation }) {
      if (operation === 'DELETE') return object
      const { applyDefaults } = await import('@trainjob/api/validate')
      return applyDefaults(toCanonical(object as T, { stored: oldObject }).object)
    },
    async validate(request) {
      return verdict(request as AdmissionRequest<T>, compat)
    },
  }
}

function verdict(
  { operation, object, oldObject }: AdmissionRequest<AnyTrainingRuntime>,
  compat: 'upstream' | undefined,
): AdmissionVerdict {
  if (operation === 'DELETE' || object.metadata.labels?.[VALIDATION_LABEL] === 'disabled') return ACCEPTED
  if (operation === 'UPDATE') {
    const withdrawn = oldObject === undefined ? [] : withdrawalIssues(oldObject, object)
    if (withdrawn.length > 0) return { errors: withdrawn, warnings: [] }
    // upstream looks at every update of the one kind, and at none of the other
    const skipped = compat === 'upstream' ? object.kind === 'TrainingRuntime' : isSame(oldObject, object)
    if (skipped) return ACCEPTED
  }
  const faults = untranslated(object)
  if (faults.length > 0) return { errors: faults, warnings: [] }
  const { errors, warnings } = validateRuntime(object)
  return { errors, warnings: operation === 'CREATE' ? warnings.map((one) => one.message) : [] }
}

function isSame(before: AnyTrainingRuntime | undefined, after: AnyTrainingRuntime): boolean {
  return isDeepStrictEqual(before?.spec, after.spec)
}

import type { KubernetesObject } from '../kubernetes/meta.ts'
import { type DefaultRules, RUNTIME_DEFAULTS, TRAINJOB_DEFAULTS } from './default-rules.ts'

/**
 * The object as an API server with upstream's CRDs stores it: what is left out gets its default. Objects of other kinds
 * come back as they are. The argument is not changed; only what changes is copied, and nothing when nothing does.
 *
 * Source: kubeflow/trainer v2.3.0, manifests/base/crds.
 *
 * @example
 * const trainJob: TrainJob = {
 *   apiVersion: TRAINER_API_VERSION,
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist', namespace: 'default' },
 *   spec: { runtimeRef: { name: 'torch-distributed' } },
 * }
 * applyDefaults(trainJob).spec
 * // => {
 * //   suspend: false,
 * //   managedBy: 'trainer.kubeflow.org/trainjob-controller',
 * //   runtimeRef: { name: 'torch-distributed', apiGroup: 'trainer.kubeflow.org', kind: 'ClusterTrainingRuntime' },
 * // }
 */
export function applyDefaults<T extends KubernetesObject>(object: T): T {
  if (object.kind === 'TrainJob') return withDefaults(object, TRAINJOB_DEFAULTS)
  if (object.kind === 'TrainingRuntime' || object.kind === 'ClusterTrainingRuntime') {
    return withDefaults(object, RUNTIME_DEFAULTS)
  }
  return object
}

/** Values of the wrong shape are left alone: to complain is not the business of defaulting. */
function withDefaults<T>(value: T, rules: DefaultRules): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (rules.each === undefined ? value : eachWithDefaults(value, rules.each)) as T
  const object = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const key in rules.set) {
    if (object[key] !== undefined && object[key] !== null) continue
    copy ??= { ...object }
    copy[key] = rules.set[key]
  }
  for (const key in rules.fields) {
    const field = object[key]
    if (field === undefined) continue
    const defaulted = withDefaults(field, rules.fields[key] as DefaultRules)
    if (defaulted === field) continue
    copy ??= { ...object }
    copy[key] = defaulted
  }
  return (copy ?? value) as T
}

function eachWithDefaults(items: readonly unknown[], rules: DefaultRules): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    const defaulted = withDefaults(items[index], rules)
    if (defaulted === items[index]) continue
    copy ??= [...items]
    copy[index] = defaulted
  }
  return copy ?? items
}

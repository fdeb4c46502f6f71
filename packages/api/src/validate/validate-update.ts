import type { FieldPath } from '../field-path.ts'
import type { Findings } from '../issue.ts'
import type { KubernetesObject } from '../kubernetes/meta.ts'
import { applyDefaults } from '../trainer/defaults.ts'
import type { Fault } from './check-schema.ts'
import { findingsOf } from './findings.ts'
import { withoutNulls } from './object-rules.ts'
import { sameValue } from './same-value.ts'
import { RUNTIME_UPDATE_RULES, TRAINJOB_UPDATE_RULES, type UpdateRules } from './update-rules.ts'

/**
 * Checks what an update may not change. Only that: `validateTrainJob` and `validateRuntime` check the new object by
 * itself, and whether patches may change now depends on the state of the job.
 *
 * A field that may not change can still be added or removed: the servers' rules compare only where both objects have
 * it. That is a warning.
 *
 * @example
 * const old: TrainJob = {
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist', namespace: 'default' },
 *   spec: { runtimeRef: { name: 'torch-distributed' }, trainer: { numNodes: 2 } },
 * }
 * const changed: TrainJob = { ...old, spec: { ...old.spec, trainer: { numNodes: 4 } } }
 * validateUpdate(old, changed).errors.map(({ path, code }) => ({ path, code }))
 * // => [{ path: 'spec.trainer', code: 'immutable' }]
 */
export function validateUpdate(old: KubernetesObject, object: KubernetesObject): Findings {
  const rules = rulesOf(object.kind)
  const found = { errors: [] as Fault[], warnings: [] as Fault[] }
  if (rules !== undefined && old.kind === object.kind) {
    compare(applyDefaults(withoutNulls(old)), applyDefaults(withoutNulls(object)), rules, [], found)
  }
  return findingsOf(found, object)
}

function rulesOf(kind: string): UpdateRules | undefined {
  if (kind === 'TrainJob') return TRAINJOB_UPDATE_RULES
  return kind === 'TrainingRuntime' || kind === 'ClusterTrainingRuntime' ? RUNTIME_UPDATE_RULES : undefined
}

type Found = { readonly errors: Fault[]; readonly warnings: Fault[] }

function compare(old: unknown, value: unknown, rules: UpdateRules, path: FieldPath, found: Found): void {
  if (rules.immutable) compareFixed(old, value, path, found)
  if (!isObject(old) || !isObject(value)) return
  if (rules.each !== undefined && Array.isArray(old) && Array.isArray(value)) {
    const { key, rules: itemRules } = rules.each
    const oldItems = new Map(old.filter(isObject).map((item) => [item[key], item]))
    value.forEach((item, index) => {
      const oldItem = isObject(item) ? oldItems.get(item[key]) : undefined
      if (oldItem !== undefined) compare(oldItem, item, itemRules, [...path, index], found)
    })
  }
  for (const [field, fieldRules] of Object.entries(rules.fields ?? {})) {
    compare(old[field], value[field], fieldRules, [...path, field], found)
  }
}

function compareFixed(old: unknown, value: unknown, path: FieldPath, { errors, warnings }: Found): void {
  const name = String(path.at(-1))
  if (old === undefined && value === undefined) return
  if (old === undefined || value === undefined) {
    const change = old === undefined ? 'set' : 'removed'
    const message = `${name} was ${change} after the object was created: servers let this pass, but the field is immutable otherwise, and a job that has started does not follow`
    warnings.push({ path, code: 'immutable', message })
  } else if (!sameValue(old, value, name)) {
    const message = `field is immutable: expected ${name} as it was, found a change; delete the object and create it anew`
    errors.push({ path, code: 'immutable', message })
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

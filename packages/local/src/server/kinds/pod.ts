import type { Pod } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import type { Cause } from '../failures.ts'
import { validatePodUpdate } from './pod-update.ts'

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const RESTART_POLICIES: readonly unknown[] = ['Always', 'OnFailure', 'Never', undefined]

/** What every pod must have, so that whoever runs pods can rely on it (source: pkg/apis/core/validation). */
export function validatePod(object: KubeObject, old?: KubeObject): readonly Cause[] {
  const { spec } = object as Pod
  const causes: Cause[] = []
  const containers = spec?.containers ?? []
  if (containers.length === 0) causes.push(required('spec.containers'))
  const names = new Set<string>()
  for (const [list, items] of [
    ['containers', containers],
    ['initContainers', spec?.initContainers ?? []],
  ] as const) {
    for (const [index, { name }] of items.entries()) {
      const field = `spec.${list}[${index}].name`
      if (!name) causes.push(required(field))
      else if (!NAME.test(name)) causes.push(invalidLabel(field, name))
      else if (names.has(name)) causes.push(duplicate(field, name))
      names.add(name)
    }
  }
  if (!RESTART_POLICIES.includes(spec?.restartPolicy)) {
    causes.push({
      reason: 'FieldValueNotSupported',
      field: 'spec.restartPolicy',
      message: `Unsupported value: ${JSON.stringify(spec.restartPolicy)}: supported values: "Always", "Never", "OnFailure"`,
    })
  }
  // what is wrong already need not be compared
  return causes.length > 0 || old === undefined ? causes : validatePodUpdate((object as Pod).spec, (old as Pod).spec)
}

function required(field: string): Cause {
  return { reason: 'FieldValueRequired', field, message: 'Required value' }
}

function duplicate(field: string, name: string): Cause {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${JSON.stringify(name)}` }
}

function invalidLabel(field: string, name: string): Cause {
  const text =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name', or '123-abc')"
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(name)}: ${text}` }
}

import type { EnvVar, EnvVarSource } from '@trainjob/api'
import { canonicalQuantity } from '@trainjob/api'
import { upsert } from './upsert.ts'

/** Puts variables into a container, in place of those with the same name. Replaces `container.env`. */
export function upsertEnv(container: { env?: EnvVar[] }, env: readonly EnvVar[]): void {
  if (env.length === 0) return
  const merged = container.env === undefined ? [] : container.env.slice()
  upsert(merged, env, nameOf)
  container.env = merged
}

function nameOf(variable: EnvVar): string {
  return variable.name
}

/**
 * Variables of a TrainJob as they appear in a container: an empty value is written, API versions of fields are not.
 * Source: kubeflow/trainer v2.3.0, pkg/apply/apply.go (`EnvVar`).
 *
 * @param keepFileKeys whether sources that upstream forgets (`fileKeyRef`) are kept
 */
export function renderedEnv(env: readonly EnvVar[] | undefined, keepFileKeys: boolean): readonly EnvVar[] {
  return env === undefined ? [] : env.map((variable) => renderedVariable(variable, keepFileKeys))
}

function renderedVariable(variable: EnvVar, keepFileKeys: boolean): EnvVar {
  const { name, value, valueFrom } = variable
  if (valueFrom === undefined || valueFrom === null) return { name, value: value ?? '' }
  return { name, valueFrom: renderedSource(valueFrom, keepFileKeys) }
}

function renderedSource(from: EnvVarSource, keepFileKeys: boolean): EnvVarSource {
  const source: EnvVarSource = {}
  if (from.fieldRef) source.fieldRef = { fieldPath: from.fieldRef.fieldPath }
  if (from.resourceFieldRef) {
    const { containerName = '', resource, divisor = '0' } = from.resourceFieldRef
    source.resourceFieldRef = { containerName, resource, divisor: canonicalQuantity(divisor) }
  }
  if (from.configMapKeyRef) source.configMapKeyRef = keyRef(from.configMapKeyRef)
  if (from.secretKeyRef) source.secretKeyRef = keyRef(from.secretKeyRef)
  if (keepFileKeys && from.fileKeyRef) source.fileKeyRef = from.fileKeyRef
  return source
}

function keyRef({ key, name = '', optional }: { key: string; name?: string; optional?: boolean }): {
  key: string
  name: string
  optional?: boolean
} {
  return optional === undefined ? { key, name } : { key, name, optional }
}

import type { Container, EnvFromSource, EnvVar, Pod } from '@trainjob/api'
import { type Attempt, configFault } from '../config-fault.ts'
import type { ConfigSources } from './config-sources.ts'
import { parseEnvFile } from './env-file.ts'
import { expand } from './expand.ts'
import { fieldValue, type NodeFacts } from './field-value.ts'
import { resourceValue } from './resource-value.ts'

/** What the values of a container's env may depend on. */
export interface EnvironmentInput {
  readonly pod: Pod
  readonly container: Container
  readonly sources: ConfigSources
  readonly facts: NodeFacts
  /** What the node can give, for `resourceFieldRef`. */
  readonly allocatable: Readonly<Record<string, string>>
  /** Text of a file in a volume of the pod, for `fileKeyRef`; nothing when it does not exist. */
  readonly volumeFile: (volume: string, path: string) => string | undefined
}

/**
 * The env that the pod gives its container, in order: `envFrom` first, then `env`, the later entry of a name wins.
 * `$(NAME)` sees what stands before it. A reference that cannot be resolved and is not optional is a fault.
 */
export function containerEnvironment(input: EnvironmentInput): Attempt<Map<string, string>> {
  const env = new Map<string, string>()
  for (const from of input.container.envFrom ?? []) {
    const fault = addAll(env, from, input)
    if (fault !== undefined) return configFault(fault)
  }
  for (const variable of input.container.env ?? []) {
    const found = variable.valueFrom === undefined ? expand(variable.value ?? '', env) : lookUp(variable, input)
    if (typeof found === 'string') env.set(variable.name, found)
    else if (found?.fault !== undefined) return configFault(found.fault)
  }
  return { ok: true, value: env }
}

function addAll(env: Map<string, string>, from: EnvFromSource, input: EnvironmentInput): string | undefined {
  const { configMapRef, secretRef, prefix = '' } = from
  const { configMaps, secrets } = input.sources
  if (configMapRef !== undefined) {
    const map = configMaps.get(configMapRef.name)
    if (map === undefined && configMapRef.optional !== true) return missing('configmap', configMapRef.name)
    for (const [key, value] of Object.entries(map?.data ?? {})) set(env, prefix + key, value)
  }
  if (secretRef !== undefined) {
    const secret = secrets.get(secretRef.name)
    if (secret === undefined && secretRef.optional !== true) return missing('secret', secretRef.name)
    for (const [key, value] of Object.entries(secret?.data ?? {})) set(env, prefix + key, decode(value))
  }
  return undefined
}

/** Keys that no process could read are left out, as a kubelet does. */
function set(env: Map<string, string>, name: string, value: string): void {
  if (name !== '' && !/[=\0]/.test(name)) env.set(name, value)
}

/** The value, nothing for an optional reference without one, or why there is none. */
function lookUp(variable: EnvVar, input: EnvironmentInput): string | { fault: string } | undefined {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = variable.valueFrom ?? {}
  if (fieldRef !== undefined) {
    return (
      fieldValue(input.pod, fieldRef.fieldPath, input.facts) ?? {
        fault: `env ${variable.name}: fieldRef ${fieldRef.fieldPath} is not a field that Kubernetes offers to env`,
      }
    )
  }
  if (resourceFieldRef !== undefined) {
    const { containerName, resource, divisor } = resourceFieldRef
    const { containers, initContainers = [] } = input.pod.spec
    const of =
      containerName === undefined || containerName === ''
        ? input.container
        : [...containers, ...initContainers].find((c) => c.name === containerName)
    const value = of && resourceValue(of, resource, divisor, input.allocatable)
    return (
      value ?? { fault: `env ${variable.name}: resourceFieldRef ${containerName ?? ''} ${resource} does not exist` }
    )
  }
  if (configMapKeyRef !== undefined) {
    const map = input.sources.configMaps.get(configMapKeyRef.name)
    return entry('configmap', configMapKeyRef, map !== undefined, map?.data?.[configMapKeyRef.key])
  }
  if (secretKeyRef !== undefined) {
    const secret = input.sources.secrets.get(secretKeyRef.name)
    const value = secret?.data?.[secretKeyRef.key]
    return entry('secret', secretKeyRef, secret !== undefined, value === undefined ? undefined : decode(value))
  }
  if (fileKeyRef !== undefined) {
    const text = input.volumeFile(fileKeyRef.volumeName, fileKeyRef.path)
    const value = text === undefined ? undefined : parseEnvFile(text).get(fileKeyRef.key)
    if (value !== undefined) return value
    if (fileKeyRef.optional === true) return undefined
    const file = `${fileKeyRef.path} of volume ${fileKeyRef.volumeName}`
    return {
      fault: text === undefined ? `file ${file} not found` : `couldn't find key ${fileKeyRef.key} in file ${file}`,
    }
  }
  return { fault: `env ${variable.name}: valueFrom has no source that is known here` }
}

function entry(
  kind: string,
  ref: { name: string; key: string; optional?: boolean },
  exists: boolean,
  value: string | undefined,
): string | { fault: string } | undefined {
  if (value !== undefined) return value
  if (ref.optional === true) return undefined
  return { fault: exists ? `couldn't find key ${ref.key} in ${kind} ${ref.name}` : missing(kind, ref.name) }
}

function missing(kind: string, name: string): string {
  return `${kind} "${name}" not found`
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

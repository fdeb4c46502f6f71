import type { Container, DownwardFile, Pod } from '@trainjob/api'
import { fieldValue, type NodeFacts } from '../env/field-value.ts'
import { resourceValue } from '../env/resource-value.ts'

/** What a downwardAPI volume may say. */
export interface DownwardContext {
  readonly pod: Pod
  readonly facts: NodeFacts
  readonly allocatable: Readonly<Record<string, string>>
}

/** Content by path, or what is wrong. */
export function downwardFiles(
  items: readonly DownwardFile[],
  { pod, facts, allocatable }: DownwardContext,
): { readonly files: Map<string, Buffer>; readonly modes: Map<string, number> } | string {
  const files = new Map<string, Buffer>()
  const modes = new Map<string, number>()
  for (const { path, fieldRef, resourceFieldRef, mode } of items) {
    let value: string | undefined
    if (fieldRef !== undefined) {
      value = wholeMap(pod, fieldRef.fieldPath) ?? fieldValue(pod, fieldRef.fieldPath, facts)
      if (value === undefined) return `fieldRef ${fieldRef.fieldPath} of ${path} is not a field that Kubernetes offers`
    } else if (resourceFieldRef !== undefined) {
      const { containerName, resource, divisor } = resourceFieldRef
      const all: readonly Container[] = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
      const container = all.find(({ name }) => name === containerName)
      value = container && resourceValue(container, resource, divisor, allocatable)
      if (value === undefined) return `resourceFieldRef ${containerName ?? ''} ${resource} of ${path} does not exist`
    } else return `${path} has neither fieldRef nor resourceFieldRef`
    files.set(path, Buffer.from(value))
    if (mode !== undefined) modes.set(path, mode)
  }
  return { files, modes }
}

/** Labels or annotations, one `name="value"` a line, sorted (source: kubernetes, pkg/fieldpath, FormatMap). */
function wholeMap(pod: Pod, fieldPath: string): string | undefined {
  const name = /^metadata\.(labels|annotations)$/.exec(fieldPath)?.[1] as 'labels' | 'annotations' | undefined
  if (name === undefined) return undefined
  return Object.entries(pod.metadata[name] ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n')
}

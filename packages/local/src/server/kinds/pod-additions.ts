import type { KubeObject } from '@trainjob/kube'

/** What admission works out for a new pod, as on a real server: nobody owns it. */
const WORKED_OUT = ['preemptionPolicy', 'priority'] as const

type Spec = Readonly<Record<string, unknown>>

/** A new pod without what admission added to it that is no default of a field. */
export function withoutPriority(completed: KubeObject, given: KubeObject): KubeObject {
  const spec = (completed as KubeObject & { readonly spec?: Spec }).spec
  const before = (given as KubeObject & { readonly spec?: Spec }).spec ?? {}
  const added = WORKED_OUT.filter((field) => spec?.[field] !== undefined && before[field] === undefined)
  if (spec === undefined || added.length === 0) return completed
  const kept: Record<string, unknown> = { ...spec }
  for (const field of added) delete kept[field]
  return { ...completed, spec: kept } as KubeObject
}

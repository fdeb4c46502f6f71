import {
  parseQuantity,
  type Quantity,
  quantityValue,
  type ResourceList,
  type ResourceRequirements,
} from '@trainjob/api'
import { canonical } from './schema/canonical.ts'
import { structSchema } from './schema/schema.ts'

/**
 * `override` on top of `base`: limits and requests key by key, claims by name. Quantities in canonical form.
 * Source: kubeflow/trainer v2.3.0, pkg/util/trainingruntime (`MergeResourceRequirements`).
 */
export function mergeResources(
  base: ResourceRequirements | undefined,
  override: ResourceRequirements,
  keepClaims: boolean,
): ResourceRequirements {
  const own = canonical(override, structSchema('core.ResourceRequirements'))
  const merged: ResourceRequirements = {}
  const limits = mergeList(base?.limits, own.limits)
  const requests = mergeList(base?.requests, own.requests)
  if (limits) merged.limits = limits
  if (requests) merged.requests = requests
  const claims = keepClaims ? mergeClaims(base?.claims, own.claims) : undefined
  if (claims) merged.claims = claims
  return merged
}

function mergeList(base: ResourceList | undefined, own: ResourceList | undefined): ResourceList | undefined {
  return base === undefined || own === undefined ? (own ?? base) : { ...base, ...own }
}

type Claims = NonNullable<ResourceRequirements['claims']>

function mergeClaims(base: Claims | undefined, own: Claims | undefined): Claims | undefined {
  if (base === undefined || own === undefined) return own ?? base
  const names = new Set(own.map(({ name }) => name))
  return [...base.filter(({ name }) => !names.has(name)), ...own]
}

/**
 * GPUs of one pod: the first resource with `gpu` in its name, by name, in requests, else in limits. 0 when there is none.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/runtime.go (`GetNumGPUPerNode`), there in random order.
 */
export function gpusOf(resources: ResourceRequirements | undefined): number {
  return firstGpu(resources?.requests) || firstGpu(resources?.limits)
}

function firstGpu(list: ResourceList | undefined): number {
  let name: string | undefined
  for (const key in list) if (isGpu(key) && (name === undefined || key < name)) name = key
  return name === undefined ? 0 : wholeNumber(list?.[name])
}

function isGpu(resource: string): boolean {
  return resource.toLowerCase().includes('gpu')
}

/** CPUs of one pod, rounded up: the request, else the limit. 0 when there is neither. */
export function cpusOf(resources: ResourceRequirements | undefined): number {
  return wholeNumber(resources?.requests?.cpu) || wholeNumber(resources?.limits?.cpu)
}

function wholeNumber(quantity: Quantity | undefined): number {
  if (quantity === undefined) return 0
  const number = Number(quantity)
  return Number.isSafeInteger(number) ? number : Number(quantityValue(parseQuantity(quantity)))
}

import {
  addQuantities,
  type Container,
  compareQuantities,
  type PodSpec,
  parseQuantity,
  type QuantityValue,
  type ResourceList,
} from '@trainjob/api'

/** Amounts by resource. */
export type Amounts = Map<string, QuantityValue>

/** Resources that a pod as a whole may ask for; huge pages are a family of them. */
const POD_LEVEL = /^(?:cpu|memory|hugepages-.*)$/

/**
 * What a pod asks of its node: the sum of its containers and sidecars, or what one init container needs beside the
 * sidecars before it, whichever is more; a pod's own requests instead where it has some; its overhead on top.
 * Source: k8s.io/component-helpers v0.36.2, resource/helpers.go (`PodRequests`).
 */
export function podRequests({ containers, initContainers, resources, overhead }: PodSpec): Amounts {
  const total: Amounts = new Map()
  for (const container of containers ?? []) addList(total, requestsOf(container))
  const sidecars: Amounts = new Map()
  const starting: Amounts = new Map()
  for (const container of initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      addList(total, requestsOf(container))
      addList(sidecars, requestsOf(container))
      raise(starting, sidecars)
      continue
    }
    const needed: Amounts = new Map()
    addList(needed, requestsOf(container))
    addAmounts(needed, sidecars)
    raise(starting, needed)
  }
  raise(total, starting)
  const own = (resources as { requests?: ResourceList } | undefined)?.requests
  for (const name in own) if (POD_LEVEL.test(name)) total.set(name, parseQuantity(own[name] as string))
  addList(total, overhead as ResourceList | undefined)
  return total
}

function requestsOf({ resources }: Container): ResourceList | undefined {
  return resources?.requests
}

function addList(total: Amounts, list: ResourceList | undefined): void {
  for (const name in list) addAmount(total, name, parseQuantity(list[name] as string))
}

/** Adds each amount to what is there. */
function addAmounts(total: Amounts, amounts: Amounts): void {
  for (const [name, amount] of amounts) addAmount(total, name, amount)
}

function addAmount(total: Amounts, name: string, amount: QuantityValue): void {
  const before = total.get(name)
  total.set(name, before === undefined ? amount : addQuantities(before, amount))
}

/** Raises each amount to at least that of `floor`. */
function raise(total: Amounts, floor: Amounts): void {
  for (const [name, amount] of floor) {
    const before = total.get(name)
    if (before === undefined || compareQuantities(amount, before) > 0) total.set(name, amount)
  }
}

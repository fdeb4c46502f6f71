import type { Container, PodSpec } from '@trainjob/api'
import { type Amounts, add, amountsOf, ONE, raise } from './amounts.ts'

/**
 * What a pod takes of a machine: its containers and sidecars together, or its hungriest init container with the
 * sidecars started before it, whichever is more; plus its overhead, plus one of `pods`. What is limited but not
 * requested counts as requested. (Source: kubernetes, component-helpers/resource.)
 */
export function podRequests({ containers, initContainers = [], overhead }: PodSpec): Amounts {
  const total = new Map<string, bigint>()
  for (const container of containers) add(total, containerRequests(container))
  const sidecars = new Map<string, bigint>()
  const start = new Map<string, bigint>()
  for (const container of initContainers) {
    const own = containerRequests(container)
    if (container.restartPolicy === 'Always') {
      add(sidecars, own)
      raise(start, sidecars)
    } else {
      const peak = new Map(sidecars)
      add(peak, own)
      raise(start, peak)
    }
  }
  add(total, sidecars)
  raise(total, start)
  add(total, amountsOf(overhead))
  total.set('pods', ONE)
  return total
}

function containerRequests({ resources }: Container): Map<string, bigint> {
  const requests = amountsOf(resources?.limits)
  for (const [name, amount] of amountsOf(resources?.requests)) requests.set(name, amount)
  return requests
}

import { type Container, type Pod, parseQuantity, quantityMilliValue } from '@trainjob/api'
import type { Devices } from './detect-devices.ts'

/** Ids by resource name. */
export type Assigned = Readonly<Record<string, readonly string[]>>

/** Who has which device: each one belongs to at most one pod. */
export interface DeviceBook {
  /** What this machine has; what pods hold already stays theirs. */
  offer(devices: Devices): void
  /** Number by resource name, for the Node's capacity. */
  counts(): Record<string, number>
  /** The devices of a container, the same for every attempt; or which resource there is not enough of. */
  assign(
    pod: Pod,
    container: Container,
  ): { readonly ok: true; readonly value: Assigned } | { readonly ok: false; readonly lacking: string }
  release(podUid: string): void
}

/**
 * Hands devices out as a kubelet does: main containers of a pod get devices of their own, its init containers, which
 * run before them, use the same ones.
 */
export function createDeviceBook(): DeviceBook {
  let devices: Devices = {}
  /** By pod: ids by container and resource. */
  const held = new Map<string, Map<string, Assigned>>()

  function inUse(resource: string, uid: string, container: Container, pod: Pod): Set<string> {
    const own = new Set(pod.spec.containers.map(({ name }) => name))
    const used = new Set<string>()
    for (const [other, containers] of held) {
      for (const [name, assigned] of containers) {
        // main and init containers of one pod do not exclude each other
        if (other === uid && own.has(name) !== own.has(container.name)) continue
        for (const id of assigned[resource] ?? []) used.add(id)
      }
    }
    return used
  }

  return {
    offer(found) {
      devices = found
    },
    counts: () => Object.fromEntries(Object.entries(devices).map(([resource, ids]) => [resource, ids.length])),
    assign(pod, container) {
      const { uid = '' } = pod.metadata
      const containers = held.get(uid) ?? new Map<string, Assigned>()
      const known = containers.get(container.name)
      if (known !== undefined) return { ok: true, value: known }
      const assigned: Record<string, string[]> = {}
      for (const [resource, ids] of Object.entries(devices)) {
        const wanted = amountOf(container, resource)
        if (wanted === 0) continue
        const used = inUse(resource, uid, container, pod)
        const own = new Set([...containers.values()].flatMap((other) => other[resource] ?? []))
        // what the pod has already comes first
        const free = ids.filter((id) => !used.has(id)).sort((a, b) => Number(own.has(b)) - Number(own.has(a)))
        if (free.length < wanted) return { ok: false, lacking: resource }
        assigned[resource] = free.slice(0, wanted).sort((a, b) => ids.indexOf(a) - ids.indexOf(b))
      }
      containers.set(container.name, assigned)
      held.set(uid, containers)
      return { ok: true, value: assigned }
    },
    release(podUid) {
      held.delete(podUid)
    },
  }
}

function amountOf({ resources }: Container, resource: string): number {
  const amount = resources?.limits?.[resource] ?? resources?.requests?.[resource] ?? 0
  return Number(quantityMilliValue(parseQuantity(amount)) / 1000n)
}

import type { Ledger, Shortage } from './ledger.ts'
import { compareTurns, type PendingClass, type PendingPod, type PendingPods } from './pending-pods.ts'

export interface Binding {
  readonly pending: PendingPod
  readonly node: string
}

/** Pods of a class that nothing has room for. */
export interface Refusal {
  readonly pods: readonly PendingPod[]
  /** By node; empty when there is no node. */
  readonly shortages: ReadonlyMap<string, readonly Shortage[]>
}

/**
 * Gives as many pods as possible a node, in their order; a pod that does not fit does not hold up others that do. What
 * is given is booked in the ledger and taken off the waiting pods. Costs one look per pod placed and per class.
 */
export function schedule(pending: PendingPods, ledger: Ledger): { bindings: Binding[]; refusals: Refusal[] } {
  const bindings: Binding[] = []
  const refusals: Refusal[] = []
  const open = new Set(pending.classes())
  for (;;) {
    const group = bestOf(open)
    if (group === undefined) return { bindings, refusals }
    const next = group.pods[0] as PendingPod
    const place = ledger.place(group.amounts)
    if ('shortages' in place) {
      open.delete(group)
      refusals.push({ pods: [...group.pods], shortages: place.shortages })
      continue
    }
    ledger.take(next.uid, place.node, next.amounts)
    pending.delete(next.uid)
    if (group.pods.length === 0) open.delete(group)
    bindings.push({ pending: next, node: place.node })
  }
}

function bestOf(classes: ReadonlySet<PendingClass>): PendingClass | undefined {
  let best: PendingClass | undefined
  for (const group of classes) {
    if (best === undefined || compareTurns(group.pods[0] as PendingPod, best.pods[0] as PendingPod) < 0) best = group
  }
  return best
}

import type { Pod } from '@trainjob/api'
import { type Amounts, signatureOf } from './amounts.ts'

/** A pod that waits for a machine. */
export interface PendingPod {
  readonly uid: string
  /** The newest state known. */
  pod: Pod
  readonly amounts: Amounts
  readonly priority: number
  /** Pods of one job stand together, at the place of the first of them. */
  readonly gangOrder: number
  readonly order: number
  /** What was last said about why it waits. */
  said?: string
}

/** Pods that ask for the same amounts, best first: when one does not fit, none of them does. */
export interface PendingClass {
  readonly amounts: Amounts
  readonly pods: PendingPod[]
}

/** The waiting pods, in classes of equal requests. */
export interface PendingPods {
  get(uid: string): PendingPod | undefined
  add(pending: PendingPod): void
  delete(uid: string): PendingPod | undefined
  classes(): Iterable<PendingClass>
}

export function createPendingPods(): PendingPods {
  const byUid = new Map<string, PendingPod>()
  const classes = new Map<string, PendingClass>()
  return {
    get: (uid) => byUid.get(uid),
    add(pending) {
      const signature = signatureOf(pending.amounts)
      const group = classes.get(signature) ?? { amounts: pending.amounts, pods: [] }
      classes.set(signature, group)
      byUid.set(pending.uid, pending)
      group.pods.splice(placeOf(pending, group.pods), 0, pending)
    },
    delete(uid) {
      const pending = byUid.get(uid)
      if (pending === undefined) return undefined
      byUid.delete(uid)
      const signature = signatureOf(pending.amounts)
      const group = classes.get(signature) as PendingClass
      group.pods.splice(placeOf(pending, group.pods), 1)
      if (group.pods.length === 0) classes.delete(signature)
      return pending
    },
    classes: () => classes.values(),
  }
}

/** Negative when `a` comes first: higher priority, then the job that came first, then the pod that came first. */
export function compareTurns(a: PendingPod, b: PendingPod): number {
  return b.priority - a.priority || a.gangOrder - b.gangOrder || a.order - b.order
}

function placeOf(pending: PendingPod, sorted: readonly PendingPod[]): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTurns(sorted[middle] as PendingPod, pending) < 0) low = middle + 1
    else high = middle
  }
  return low
}

import type { Node } from '@trainjob/api'
import { type Amounts, add, amountsOf } from './amounts.ts'

/** A resource that a pod asks more of than is free. */
export interface Shortage {
  readonly name: string
  readonly requested: bigint
  readonly free: bigint
  readonly capacity: bigint
}

/** What each node has and what is taken of it. */
export interface Ledger {
  readonly nodeCount: number
  setNode(node: Node): void
  deleteNode(name: string): void
  /** Books a pod on a node; booking it again changes nothing. */
  take(uid: string, node: string, amounts: Amounts): void
  /** Whether there was something to give back. */
  release(uid: string): boolean
  has(uid: string): boolean
  /** The first node that has room, or what is short on each. */
  place(amounts: Amounts): { readonly node: string } | { readonly shortages: ReadonlyMap<string, readonly Shortage[]> }
}

/** Not counted unless a node says how much it has. */
const UNLIMITED_BY_DEFAULT = new Set(['pods', 'ephemeral-storage'])

export function createLedger(): Ledger {
  const capacities = new Map<string, Amounts>()
  const taken = new Map<string, Map<string, bigint>>()
  const bookings = new Map<string, { node: string; amounts: Amounts }>()

  function shortagesOn(node: string, capacity: Amounts, amounts: Amounts): Shortage[] {
    const used = taken.get(node)
    const short: Shortage[] = []
    for (const [name, requested] of amounts) {
      const has = capacity.get(name)
      if (requested === 0n || (has === undefined && UNLIMITED_BY_DEFAULT.has(name))) continue
      const free = (has ?? 0n) - (used?.get(name) ?? 0n)
      if (requested > free) short.push({ name, requested, free: free > 0n ? free : 0n, capacity: has ?? 0n })
    }
    return short
  }

  return {
    get nodeCount() {
      return capacities.size
    },
    setNode({ metadata, status }) {
      capacities.set(metadata.name ?? '', amountsOf(status?.allocatable ?? status?.capacity))
    },
    deleteNode: (name) => void capacities.delete(name),
    take(uid, node, amounts) {
      if (bookings.has(uid)) return
      bookings.set(uid, { node, amounts })
      const used = taken.get(node) ?? new Map<string, bigint>()
      add(used, amounts)
      taken.set(node, used)
    },
    release(uid) {
      const booking = bookings.get(uid)
      if (booking === undefined) return false
      bookings.delete(uid)
      add(taken.get(booking.node) as Map<string, bigint>, booking.amounts, -1n)
      return true
    },
    has: (uid) => bookings.has(uid),
    place(amounts) {
      const shortages = new Map<string, readonly Shortage[]>()
      for (const [node, capacity] of capacities) {
        const short = shortagesOn(node, capacity, amounts)
        if (short.length === 0) return { node }
        shortages.set(node, short)
      }
      return { shortages }
    },
  }
}

/** Figures of one side over the rounds of one run. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

/** Ourselves against one peer, measured alternately in one run. */
export interface BenchmarkRow {
  readonly name: string
  /** Of the figures, for example `µs/call`; less is better. */
  readonly unit: string
  readonly ours: Spread
  readonly peer: Spread & { readonly name: string; readonly version: string }
  /** The peer's median by ours, or by the worst of ours where only that counts: how many times less we need. */
  readonly ratio: number
  /** The ratio that is asked for. */
  readonly target: number
  readonly met: boolean
}

/** The spread of at least one figure. */
export function spread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  if (upper === undefined) throw new RangeError('Expected at least one figure.')
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper
  return { min: sorted[0] ?? upper, median: (lower + upper) / 2, max: sorted.at(-1) ?? upper }
}

/** What was measured on both sides, in rounds. */
export interface Measured {
  readonly name: string
  readonly unit: string
  readonly ours: readonly number[]
  readonly peer: { readonly name: string; readonly version: string; readonly figures: readonly number[] }
  readonly target: number
  /** The worst of our figures counts, not their median. */
  readonly worst?: true
}

/** The row of what was measured. */
export function toRow({ name, unit, ours, peer, target, worst }: Measured): BenchmarkRow {
  const own = spread(ours)
  const other = spread(peer.figures)
  const ratio = other.median / (worst === true ? own.max : own.median)
  return {
    name,
    unit,
    ours: own,
    peer: { name: peer.name, version: peer.version, ...other },
    ratio,
    target,
    met: ratio >= target,
  }
}

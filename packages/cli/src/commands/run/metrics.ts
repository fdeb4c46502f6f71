/** Latest values of the metrics that a job printed as `name=value`. */
export interface Metrics {
  /** Reads one line of a node. */
  see(node: string, text: string): void
  /** At most `limit`, those that judge a model first: `[['loss', '0.061'], ['accuracy', '0.981']]`. */
  latest(limit?: number): readonly (readonly [name: string, value: string])[]
}

const PAIR = /(?<![\w./=-])([A-Za-z_][\w./-]{0,40})\s?=\s?([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf)(?![\w.])/g
const JUDGES = /loss|acc|auc|f1|err|perplexity|ppl|bleu|rouge|mae|mse|rmse|score|reward|precision|recall|r2/i

/**
 * Collects metrics. Where several nodes print the same one, the first of them (by name) counts: with data parallel
 * training that is rank 0.
 */
export function createMetrics(): Metrics {
  const seen = new Map<string, { node: string; value: string }>()
  return {
    see: (node, text) => {
      // most lines have none
      if (!text.includes('=')) return
      for (const [, name, value] of text.matchAll(PAIR)) {
        const before = seen.get(name as string)
        if (before !== undefined && isBefore(before.node, node)) continue
        seen.set(name as string, { node, value: value as string })
      }
    },
    latest: (limit = 4) =>
      [...seen]
        .map(([name, { value }]) => [name, value] as const)
        .toSorted(([a], [b]) => Number(JUDGES.test(b)) - Number(JUDGES.test(a)))
        .slice(0, limit),
  }
}

/** `node-2` is before `node-10`. */
function isBefore(one: string, other: string): boolean {
  if (one === other) return false
  return one.localeCompare(other, 'en', { numeric: true }) < 0
}

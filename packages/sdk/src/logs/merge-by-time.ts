import { compareTimestamps } from './timestamp.ts'

/** Merges sources, each in order of time, into one in order of time; the earlier source first where times are equal. */
export async function* mergeByTime<T extends { readonly timestamp: string }>(
  sources: readonly AsyncIterable<T>[],
): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]())
  /** Heads of the sources, the next one to hand out last. */
  const heads: { readonly value: T; readonly source: number }[] = []

  async function advance(source: number): Promise<void> {
    const result = await iterators[source]?.next()
    if (result === undefined || result.done === true) return
    const head = { value: result.value, source }
    let [low, high] = [0, heads.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = heads[middle]
      if (other !== undefined && isLater(other, head)) low = middle + 1
      else high = middle
    }
    heads.splice(low, 0, head)
  }

  try {
    await Promise.all(iterators.map((_, source) => advance(source)))
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      yield head.value
      await advance(head.source)
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()))
  }
}

function isLater<T extends { readonly timestamp: string }>(
  a: { readonly value: T; readonly source: number },
  b: { readonly value: T; readonly source: number },
): boolean {
  const order = compareTimestamps(a.value.timestamp, b.value.timestamp)
  return order === 0 ? a.source > b.source : order > 0
}

/** A run of completion indexes, both ends included. */
export interface IndexRange {
  readonly first: number
  readonly last: number
}

/** Disjoint runs in ascending order with at least one missing index between two neighbours. */
export type IndexRanges = readonly IndexRange[]

/**
 * Reads the text form of `completedIndexes`, `failedIndexes` and `succeededIndexes`. Indexes from `completions` on
 * and parts that are no numbers are dropped: the text may have been written before a Job was scaled down.
 *
 * @example
 * parseIndexRanges('1,3-5,7', 10) // => [{ first: 1, last: 1 }, { first: 3, last: 5 }, { first: 7, last: 7 }]
 */
export function parseIndexRanges(text: string | undefined, completions: number): IndexRanges {
  if (text === undefined || text === '') return []
  const ranges: IndexRange[] = []
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part)
    if (match === null) continue
    const first = Number(match[1])
    const last = Math.min(match[2] === undefined ? first : Number(match[2]), completions - 1)
    if (first <= last) ranges.push({ first, last })
  }
  return mergeIndexRanges(ranges, [])
}

/** What is wrong with indexes that a user wrote, in words; `undefined` when they ascend and are below `completions`. */
export function indexRangesFault(text: string, completions: number): string | undefined {
  if (text === '') return undefined
  let last = -1
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part)
    if (match === null) return `"${part}" is neither an index nor a range`
    const first = Number(match[1])
    const end = match[2] === undefined ? first : Number(match[2])
    if (end >= completions) return `${end} is not below ${completions}`
    if (first <= last || (match[2] !== undefined && end <= first)) return `"${part}" does not ascend`
    last = end
  }
  return undefined
}

/**
 * The text form: two neighbouring indexes are joined by a comma, three and more by a dash.
 *
 * @example
 * formatIndexRanges([{ first: 0, last: 1 }, { first: 3, last: 5 }]) // => '0,1,3-5'
 */
export function formatIndexRanges(ranges: IndexRanges): string {
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`))
    .join(',')
}

/** How many indexes the ranges hold. */
export function countIndexes(ranges: IndexRanges): number {
  let count = 0
  for (const { first, last } of ranges) count += last - first + 1
  return count
}

/** Whether `index` is in one of the ranges; logarithmic in their number. */
export function hasIndex(ranges: IndexRanges, index: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle] as IndexRange).last >= index) high = middle
    else low = middle + 1
  }
  const range = ranges[low]
  return range !== undefined && range.first <= index
}

/** Ranges of single indexes, in any order and with repetitions. */
export function indexRangesOf(indexes: Iterable<number>): IndexRanges {
  return mergeIndexRanges(
    Array.from(indexes, (index) => ({ first: index, last: index })),
    [],
  )
}

/** The union. Neither argument needs to be in order. */
export function mergeIndexRanges(a: readonly IndexRange[], b: readonly IndexRange[]): IndexRanges {
  const all = [...a, ...b].sort((x, y) => x.first - y.first)
  const merged: { first: number; last: number }[] = []
  for (const { first, last } of all) {
    const previous = merged.at(-1)
    if (previous === undefined || first > previous.last + 1) merged.push({ first, last })
    else if (last > previous.last) previous.last = last
  }
  return merged
}

/** How many indexes are in both. */
export function countCommonIndexes(a: IndexRanges, b: IndexRanges): number {
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const x = a[i] as IndexRange
    const y = b[j] as IndexRange
    count += Math.max(0, Math.min(x.last, y.last) - Math.max(x.first, y.first) + 1)
    if (x.last <= y.last) i++
    if (y.last <= x.last) j++
  }
  return count
}

/** The `count` lowest indexes below `completions` that are in none of the ranges. */
export function lowestFreeIndexes(taken: IndexRanges, completions: number, count: number): number[] {
  const free: number[] = []
  let candidate = 0
  for (const { first, last } of taken) {
    for (; candidate < first && candidate < completions && free.length < count; candidate++) free.push(candidate)
    candidate = Math.max(candidate, last + 1)
  }
  for (; candidate < completions && free.length < count; candidate++) free.push(candidate)
  return free
}

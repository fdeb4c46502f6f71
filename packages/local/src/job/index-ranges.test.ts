import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countCommonIndexes,
  countIndexes,
  formatIndexRanges,
  hasIndex,
  indexRangesFault,
  indexRangesOf,
  lowestFreeIndexes,
  mergeIndexRanges,
  parseIndexRanges,
} from './index-ranges.ts'

const indexes = fc.uniqueArray(fc.nat({ max: 40 }))

describe('index ranges', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[0, 1, 2], '0-2'],
    [[1, 3, 4, 5, 7], '1,3-5,7'],
    [[5, 1, 0, 6, 9, 1], '0,1,5,6,9'],
  ])('%j reads %s', (list, text) => {
    expect(formatIndexRanges(indexRangesOf(list))).toBe(text)
  })

  it.each([
    ['', 10, ''],
    ['1,3-5,7', 10, '1,3-5,7'],
    ['1,3-5,7', 5, '1,3,4'],
    ['0,1,2', 10, '0-2'],
    ['x,2,4-,3', 10, '2,3'],
    ['5-3', 10, ''],
  ])('%s of %i completions is %s', (text, completions, expected) => {
    expect(formatIndexRanges(parseIndexRanges(text, completions))).toBe(expected)
  })

  it('come back from their text', () => {
    fc.assert(
      fc.property(indexes, (list) => {
        const ranges = indexRangesOf(list)
        expect(parseIndexRanges(formatIndexRanges(ranges), 41)).toEqual(ranges)
      }),
    )
  })

  it.each([
    ['', undefined],
    ['0,2-4', undefined],
    ['0,1,2', undefined],
    ['9', '9 is not below 5'],
    ['1-5', '5 is not below 5'],
    ['2,1', '"1" does not ascend'],
    ['1-1', '"1-1" does not ascend'],
    ['0-2,2', '"2" does not ascend'],
    ['a', '"a" is neither an index nor a range'],
    ['1-', '"1-" is neither an index nor a range'],
    ['1-2-3', '"1-2-3" is neither an index nor a range'],
    ['1,', '"" is neither an index nor a range'],
  ])('%j as written by a user: %s', (text, fault) => {
    expect(indexRangesFault(text, 5)).toBe(fault)
  })

  it('their text has no fault, and a text without a fault says what is read from it', () => {
    const part = fc.oneof(fc.nat({ max: 12 }).map(String), fc.constantFrom('', '-', '1-3', '4-2', 'x'))
    fc.assert(
      fc.property(indexes, fc.array(part, { maxLength: 4 }), (list, parts) => {
        expect(indexRangesFault(formatIndexRanges(indexRangesOf(list)), 41)).toBeUndefined()
        const text = parts.join(',')
        if (indexRangesFault(text, 10) !== undefined) return
        const named = parts.reduce((sum, one) => {
          const [first = 0, last = first] = one.split('-').map(Number)
          return sum + (one === '' ? 0 : last - first + 1)
        }, 0)
        expect(countIndexes(parseIndexRanges(text, 10))).toBe(named)
      }),
    )
  })

  it('behave as sets', () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat({ max: 45 }), (a, b, some) => {
        const [x, y] = [indexRangesOf(a), indexRangesOf(b)]
        const union = new Set([...a, ...b])
        expect(countIndexes(x)).toBe(a.length)
        expect(hasIndex(x, some)).toBe(a.includes(some))
        expect(mergeIndexRanges(x, y)).toEqual(indexRangesOf(union))
        expect(countCommonIndexes(x, y)).toBe(a.filter((index) => b.includes(index)).length)
      }),
    )
  })

  it('hand out the lowest indexes that are free, and each once', () => {
    fc.assert(
      fc.property(indexes, fc.nat({ max: 45 }), fc.nat({ max: 45 }), (taken, completions, count) => {
        const all = Array.from({ length: completions }, (_, index) => index)
        const expected = all.filter((index) => !taken.includes(index)).slice(0, count)
        expect(lowestFreeIndexes(indexRangesOf(taken), completions, count)).toEqual(expected)
      }),
    )
  })
})

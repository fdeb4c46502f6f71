import { array, assert, constantFrom, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeApplied } from './merge-applied.ts'

const SCHEMA = { fields: { list: { list: ['name'] }, set: { list: 'set' }, whole: { atomic: true } } } as const
const named = (names: string) => [...names].map((name) => ({ name }))

describe('merging an applied configuration', () => {
  it.each([
    ['scalars are replaced', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    ['maps are merged', { m: { a: 1 } }, { m: { b: 2 } }, { m: { a: 1, b: 2 } }],
    ['atomic maps are replaced', { whole: { a: 1 } }, { whole: { b: 2 } }, { whole: { b: 2 } }],
    ['lists without keys are replaced', { l: [1, 2] }, { l: [3] }, { l: [3] }],
    ['sets are joined', { set: ['a', 'b'] }, { set: ['b', 'c'] }, { set: ['a', 'b', 'c'] }],
    [
      'items are merged by key',
      { list: [{ name: 'a', x: 1 }, { name: 'b' }] },
      { list: [{ name: 'a', y: 2 }] },
      { list: [{ name: 'a', x: 1, y: 2 }, { name: 'b' }] },
    ],
  ])('%s', (_, live, config, expected) => {
    expect(mergeApplied(live, config, SCHEMA)).toEqual(expected)
  })

  // the orders that structured-merge-diff's own merge gives
  it.each([
    ['ab', 'ba', 'ba'],
    ['abc', 'c', 'abc'],
    ['abc', 'ca', 'bca'],
    ['ab', 'cd', 'abcd'],
    ['ab', 'cb', 'acb'],
    ['', 'ab', 'ab'],
    ['ab', '', 'ab'],
    ['abcd', 'dxb', 'acdxb'],
    ['abcde', 'ecxa', 'bdecxa'],
    ['abcdef', 'fbdx', 'acefbdx'],
  ])('live %s, applied %s: %s', (live, config, expected) => {
    const merged = mergeApplied({ list: named(live) }, { list: named(config) }, SCHEMA) as { list: { name: string }[] }
    expect(merged.list.map((item) => item.name).join('')).toBe(expected)
  })

  it('keeps each item once and the order of the configuration', () => {
    const letters = uniqueArray(constantFrom(...'abcdefg'))
    assert(
      property(letters, letters, (live, config) => {
        const merged = mergeApplied({ set: live }, { set: config }, SCHEMA) as { set: string[] }
        expect(merged.set.toSorted()).toEqual([...new Set([...live, ...config])].toSorted())
        expect(merged.set.filter((letter) => config.includes(letter))).toEqual(config)
      }),
    )
  })

  it('changes nothing when it is laid over its own result', () => {
    const letters = array(constantFrom(...'abcdefg'))
    assert(
      property(letters, letters, (live, config) => {
        const configured = { set: [...new Set(config)], whole: { config } }
        const once = mergeApplied({ set: [...new Set(live)] }, configured, SCHEMA)
        expect(mergeApplied(once, configured, SCHEMA)).toEqual(once)
      }),
    )
  })
})

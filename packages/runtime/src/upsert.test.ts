import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { upsert } from './upsert.ts'

describe('upsert', () => {
  it('replaces the first item with the same key, else appends', () => {
    const list = [
      { k: 'a', v: 1 },
      { k: 'b', v: 1 },
      { k: 'a', v: 2 },
    ]
    upsert(
      list,
      [
        { k: 'a', v: 3 },
        { k: 'c', v: 3 },
        { k: 'c', v: 4 },
      ],
      ({ k }) => k,
    )
    expect(list).toEqual([
      { k: 'a', v: 3 },
      { k: 'b', v: 1 },
      { k: 'a', v: 2 },
      { k: 'c', v: 4 },
    ])
  })

  it('does the same for long lists', () => {
    const item = fc.record({ k: fc.integer({ min: 0, max: 30 }), v: fc.integer() })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.array(item, { maxLength: 60 }), (list, items) => {
        const oneByOne = list.slice()
        for (const one of items) upsert(oneByOne, [one], ({ k }) => k)
        const atOnce = list.slice()
        upsert(atOnce, items, ({ k }) => k)
        expect(atOnce).toEqual(oneByOne)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderList } from './order.ts'

describe('orderList', () => {
  it.each([
    ['named items stand in the given order', ['a', 'b', 'c'], ['c', 'a'], ['a', 'b', 'c'], ['b', 'c', 'a']],
    [
      'others stay before what they stood before',
      ['a', 'b', 'c', 'd'],
      ['b', 'd'],
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
    [
      'new items come as early as their neighbours in the order',
      ['a', 'b', 'n'],
      ['n', 'b'],
      ['a', 'b'],
      ['n', 'a', 'b'],
    ],
    ['without an order nothing moves', ['a', 'b'], [], ['a', 'b'], ['a', 'b']],
  ])('%s', (_, items, first, old, expected) => {
    expect(orderList(items, first, old)).toEqual(expected)
  })

  it('keeps all items, and both orders within themselves', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    fc.assert(
      fc.property(fc.shuffledSubarray(ids), fc.shuffledSubarray(ids), fc.shuffledSubarray(ids), (items, first, old) => {
        const ordered = orderList(items, first, old)
        expect(ordered.toSorted()).toEqual(items.toSorted())
        const isNamed = (id: string): boolean => first.includes(id)
        expect(ordered.filter(isNamed)).toEqual(first.filter((id) => items.includes(id)))
        const others = ordered.filter((id) => !isNamed(id) && old.includes(id))
        expect(others).toEqual(old.filter((id) => others.includes(id)))
      }),
    )
  })
})

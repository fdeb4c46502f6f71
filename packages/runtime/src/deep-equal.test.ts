import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from './deep-equal.ts'

describe('deepEqual', () => {
  it.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: [] }, {}, true],
    [{ a: null }, {}, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: '1' }, { a: 1 }, false],
    [[1], { 0: 1 }, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected)
    expect(deepEqual(b, a)).toBe(expected)
  })

  it('holds for copies', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(deepEqual(value, JSON.parse(JSON.stringify(value)))).toBe(true)
      }),
    )
  })
})

import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clone } from './clone.ts'
import { equal } from './equal.ts'
import { withoutNulls } from './without-nulls.ts'

describe('equal', () => {
  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
    ['1', 1, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(equal(a, b)).toBe(expected)
  })

  it('agrees with JSON text whose keys are sorted', () => {
    assert(
      property(dictionary(string(), jsonValue()), dictionary(string(), jsonValue()), (a, b) => {
        expect(equal(a, clone(a))).toBe(true)
        expect(equal(a, b)).toBe(sorted(a) === sorted(b))
      }),
    )
  })
})

describe('clone', () => {
  it('leaves nothing shared, and drops what JSON text would drop', () => {
    const value = { list: [{ a: 1 }, undefined], gone: undefined, text: 'x', none: null }
    const copy = clone(value)
    expect(copy).toEqual({ list: [{ a: 1 }, null], text: 'x', none: null })
    expect('gone' in copy).toBe(false)
    expect(copy.list[0]).not.toBe(value.list[0])
  })

  it('keeps a property named __proto__ a property', () => {
    const copy = clone(JSON.parse('{"__proto__": {"polluted": true}}')) as { polluted?: unknown }
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(copy.polluted).toBeUndefined()
  })
})

describe('withoutNulls', () => {
  it('drops properties, not items, and shares what has none', () => {
    const value = { a: null, b: { c: null, d: 1 }, e: [null, { f: null }], g: { h: [1] } }
    const result = withoutNulls(value) as typeof value
    expect(result).toEqual({ b: { d: 1 }, e: [null, {}], g: { h: [1] } })
    expect(result.g).toBe(value.g)
    expect(withoutNulls(result)).toBe(result)
    expect(withoutNulls(value, value)).toBe(value)
  })
})

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  )
}

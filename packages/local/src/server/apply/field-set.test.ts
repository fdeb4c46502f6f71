import { type Arbitrary, assert, boolean, constant, constantFrom, dictionary, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, type FieldSet, intersection, isEmpty, LEAF, node, pathsOf, union } from './field-set.ts'

const names = constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"')

/** Sets over a few names, so that they overlap. */
function setsOf(depth: number): Arbitrary<FieldSet> {
  const child = depth === 0 ? constant(LEAF) : tuple(boolean(), setsOf(depth - 1)).map(([is, below]) => node(is, below))
  return dictionary(names, child, { maxKeys: 3 }).map((entries) => {
    const kept = Object.entries(entries).filter((entry): entry is [string, FieldSet] => entry[1] !== undefined)
    return Object.fromEntries(kept)
  })
}
const sets = setsOf(3)

const members = (set: FieldSet) => new Set(pathsOf(set).map((path) => path.join(' ')))

describe('sets of fields', () => {
  it('behave as sets of their paths', () => {
    assert(
      property(sets, sets, (a, b) => {
        const [left, right] = [members(a), members(b)]
        expect(members(union(a, b))).toEqual(new Set([...left, ...right]))
        expect(members(difference(a, b))).toEqual(new Set([...left].filter((path) => !right.has(path))))
        expect(members(intersection(a, b))).toEqual(new Set([...left].filter((path) => right.has(path))))
      }),
    )
  })

  it('hold no nodes without members', () => {
    assert(
      property(sets, sets, (a, b) => {
        for (const set of [union(a, b), difference(a, b), intersection(a, b)]) {
          expect(isEmpty(set)).toBe(members(set).size === 0)
        }
        expect(difference(a, a)).toEqual({})
        expect(difference(a, difference(b, a))).toBe(a)
        expect(union(a, a)).toEqual(a)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffOperation, jsonDiff } from './json-diff.ts'

type Fields = Record<string, unknown>

/** RFC 6902, of the operations and paths that a difference has. */
function applied(object: Fields, { path, ...operation }: DiffOperation): Fields {
  const [first = '', ...rest] = path.split('/').slice(1)
  const key = first.replaceAll('~1', '/').replaceAll('~0', '~')
  if (operation.op !== 'add' && !Object.hasOwn(object, key)) throw new Error(`${path} is not there`)
  if (rest.length > 0) {
    const below = applied(object[key] as Fields, { ...operation, path: `/${rest.join('/')}` } as DiffOperation)
    return { ...object, [key]: below }
  }
  const { [key]: _, ...others } = object
  return operation.op === 'remove' ? others : { ...others, [key]: operation.value }
}

describe('the difference of two objects', () => {
  it('is nothing between equal ones, and goes no deeper than it must', () => {
    expect(jsonDiff({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([])
    expect(jsonDiff({ a: { b: 1, 'c/d~e': [1, 2] } }, { a: { 'c/d~e': [2] }, f: {} })).toEqual([
      { op: 'remove', path: '/a/b' },
      { op: 'replace', path: '/a/c~1d~0e', value: [2] },
      { op: 'add', path: '/f', value: {} },
    ])
  })

  it('makes the one of the other', () => {
    const key = fc.constantFrom('a', 'b', 'c/d', 'e~1f', '')
    const { object } = fc.letrec<{ object: Fields; value: unknown }>((tie) => ({
      object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 0, 1, 'x'),
        tie('object'),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
    }))
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(jsonDiff(before, after).reduce(applied, before)).toEqual(after)
      }),
    )
  })
})

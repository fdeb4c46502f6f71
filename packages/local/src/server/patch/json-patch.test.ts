import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../object/deep-freeze.ts'
import { applyJsonPatch } from './json-patch.ts'
import { applyMergePatch } from './merge-patch.ts'

describe('a JSON patch', () => {
  const document = { a: { b: [1, 2, 3] }, 'x/y': 1, 'm~n': 2, n: null }

  it.each([
    ['add', { op: 'add', path: '/a/c', value: 4 }, { a: { b: [1, 2, 3], c: 4 } }],
    ['add replaces what is there', { op: 'add', path: '/n', value: 4 }, { n: 4 }],
    ['add into a list', { op: 'add', path: '/a/b/1', value: 9 }, { a: { b: [1, 9, 2, 3] } }],
    ['add at the end', { op: 'add', path: '/a/b/-', value: 9 }, { a: { b: [1, 2, 3, 9] } }],
    ['add just behind the end', { op: 'add', path: '/a/b/3', value: 9 }, { a: { b: [1, 2, 3, 9] } }],
    ['remove from a list', { op: 'remove', path: '/a/b/0' }, { a: { b: [2, 3] } }],
    ['replace in a list', { op: 'replace', path: '/a/b/2', value: 9 }, { a: { b: [1, 2, 9] } }],
    ['escaped slash', { op: 'replace', path: '/x~1y', value: 9 }, { 'x/y': 9 }],
    ['escaped tilde', { op: 'replace', path: '/m~0n', value: 9 }, { 'm~n': 9 }],
    ['move', { op: 'move', from: '/a/b/0', path: '/a/c' }, { a: { b: [2, 3], c: 1 } }],
    ['move within a list', { op: 'move', from: '/a/b/0', path: '/a/b/2' }, { a: { b: [2, 3, 1] } }],
    ['copy', { op: 'copy', from: '/a/b', path: '/c' }, { c: [1, 2, 3] }],
    ['test of null', { op: 'test', path: '/n', value: null }, {}],
  ])('%s', (_, operation, expected) => {
    deepFreeze(document)
    expect(applyJsonPatch(document, [operation])).toEqual({ ...document, ...expected })
  })

  it.each([
    ['remove of nothing', { op: 'remove', path: '/z' }, 422],
    ['replace of nothing', { op: 'replace', path: '/z', value: 1 }, 422],
    ['add below nothing', { op: 'add', path: '/z/y', value: 1 }, 422],
    ['an index behind the end', { op: 'add', path: '/a/b/4', value: 1 }, 422],
    ['an index with a zero in front', { op: 'replace', path: '/a/b/01', value: 1 }, 422],
    ['a test that fails', { op: 'test', path: '/a/b', value: [1] }, 422],
    ['the prototype', { op: 'add', path: '/__proto__/x', value: 1 }, 422],
    ['an unknown operation', { op: 'increment', path: '/n' }, 400],
    ['no path', { op: 'add' }, 400],
    ['a path without a slash', { op: 'add', path: 'a', value: 1 }, 400],
    ['no object', 'add', 400],
  ])('refuses %s', (_, operation, httpCode) => {
    expect(() => applyJsonPatch(document, [operation])).toThrow(expect.objectContaining({ httpCode }))
  })
})

describe('a merge patch', () => {
  // the examples of RFC 7386, appendix A
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, expected) => {
    deepFreeze(target)
    expect(applyMergePatch(target, patch)).toEqual(expected)
  })

  it('ends in the same when it is applied twice, and shares nothing with the patch', () => {
    assert(
      property(dictionary(string(), jsonValue()), dictionary(string(), jsonValue()), (target, patch) => {
        const once = applyMergePatch(target, patch)
        deepFreeze(patch)
        expect(applyMergePatch(once, patch)).toEqual(once)
        for (const [key, value] of Object.entries(once as object)) {
          if (typeof value === 'object' && value !== null && !(key in target)) expect(value).not.toBe(patch[key])
        }
      }),
    )
  })
})

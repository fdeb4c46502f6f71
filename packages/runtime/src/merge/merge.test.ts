import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RenderError } from '../error.ts'
import { structSchema } from '../schema/schema.ts'
import { deepFrozen } from '../testing/objects.ts'
import { strategicMerge } from './merge.ts'

const podSpec = structSchema('core.PodSpec')

describe('strategicMerge', () => {
  it.each<[string, object, object, object]>([
    ['sets a value', { hostname: 'a' }, { hostname: 'b' }, { hostname: 'b' }],
    ['deletes with null', { hostname: 'a', nodeName: 'n' }, { hostname: null }, { nodeName: 'n' }],
    [
      'joins maps',
      { nodeSelector: { a: '1', b: '2' } },
      { nodeSelector: { b: null, c: '3' } },
      { nodeSelector: { a: '1', c: '3' } },
    ],
    [
      'replaces a list without a merge key',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
    [
      'joins a list by its key: items of the patch in its order, others where they were',
      { containers: [{ name: 'a', image: '1' }, { name: 'b' }, { name: 'c' }] },
      { containers: [{ name: 'c', image: '3' }, { name: 'new' }, { name: 'a', tty: true }] },
      { containers: [{ name: 'b' }, { name: 'c', image: '3' }, { name: 'new' }, { name: 'a', image: '1', tty: true }] },
    ],
    [
      'joins ports by number',
      { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'x' }] }] },
      { containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'UDP' }] }] },
      { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'x', protocol: 'UDP' }] }] },
    ],
    [
      'deletes an item',
      { volumes: [{ name: 'a' }, { name: 'b' }] },
      { volumes: [{ name: 'a', $patch: 'delete' }] },
      { volumes: [{ name: 'b' }] },
    ],
    [
      'deletes nothing that is not there',
      { volumes: [{ name: 'b' }] },
      { volumes: [{ name: 'a', $patch: 'delete' }] },
      { volumes: [{ name: 'b' }] },
    ],
    [
      'replaces a whole list',
      { volumes: [{ name: 'a' }, { name: 'b' }] },
      { volumes: [{ name: 'c' }, { $patch: 'replace' }] },
      { volumes: [{ name: 'c' }] },
    ],
    [
      'replaces a map',
      { nodeSelector: { a: '1' } },
      { nodeSelector: { $patch: 'replace', b: '2' } },
      { nodeSelector: { b: '2' } },
    ],
    ['empties a map', { nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'delete' } }, { nodeSelector: {} }],
    ['drops a directive where nothing is', {}, { nodeSelector: { $patch: 'delete' } }, {}],
    [
      'keeps the named keys of a struct only',
      { volumes: [{ name: 'a', emptyDir: {} }] },
      { volumes: [{ name: 'a', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] },
      { volumes: [{ name: 'a', hostPath: { path: '/x' } }] },
    ],
    [
      'orders a list as told',
      { volumes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      { volumes: [{ name: 'd' }], '$setElementOrder/volumes': [{ name: 'd' }, { name: 'c' }, { name: 'a' }] },
      { volumes: [{ name: 'd' }, { name: 'b' }, { name: 'c' }, { name: 'a' }] },
    ],
    [
      'orders a list that it does not change',
      { volumes: [{ name: 'a' }, { name: 'b' }] },
      { '$setElementOrder/volumes': [{ name: 'b' }, { name: 'a' }] },
      { volumes: [{ name: 'b' }, { name: 'a' }] },
    ],
    [
      'takes new parts without nulls',
      {},
      { securityContext: { fsGroup: null, runAsUser: 1 } },
      { securityContext: { runAsUser: 1 } },
    ],
    [
      'takes a value of another type whole',
      { affinity: 'x' },
      { affinity: { nodeAffinity: {} } },
      { affinity: { nodeAffinity: {} } },
    ],
  ])('%s', (_, original, patch, expected) => {
    expect(strategicMerge(deepFrozen(original), deepFrozen(patch), podSpec)).toEqual(expected)
  })

  it('joins and shortens a list of values as a set', () => {
    const metadata = structSchema('meta.ObjectMeta')
    expect(strategicMerge({ finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] }, metadata)).toEqual({
      finalizers: ['c', 'a', 'b'],
    })
    expect(
      strategicMerge({ finalizers: ['a', 'b'] }, { '$deleteFromPrimitiveList/finalizers': ['a'] }, metadata),
    ).toEqual({ finalizers: ['b'] })
  })

  it('merges without a schema as JSON, lists whole', () => {
    expect(strategicMerge({ a: { b: [1], c: 2 } }, { a: { b: [3], c: null } })).toEqual({ a: { b: [3] } })
  })

  it.each<[string, object, string]>([
    ['an item without its key', { containers: [{ image: 'x' }] }, 'containers'],
    ['an item that is no object', { containers: ['x'] }, 'containers'],
    ['an unknown directive', { $patch: 'merge' }, ''],
    ['an unknown directive in an item', { containers: [{ name: 'a', $patch: 'move' }] }, 'containers'],
    ['retained keys that lack one', { nodeSelector: { $retainKeys: ['a'], b: '1' } }, 'nodeSelector'],
    [
      'items in another order than told',
      { volumes: [{ name: 'b' }, { name: 'a' }], '$setElementOrder/volumes': [{ name: 'a' }, { name: 'b' }] },
      'volumes',
    ],
  ])('refuses %s and names the field', (_, patch, path) => {
    const original = { containers: [{ name: 'a' }], nodeSelector: {}, volumes: [{ name: 'a' }] }
    const error = thrownBy(() => strategicMerge(original, patch, podSpec))
    expect(error).toBeInstanceOf(RenderError)
    expect(error).toMatchObject({ code: 'invalid-patch', path })
  })

  const named = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e'), image: fc.constantFrom('1', '2') }),
    {
      selector: ({ name }) => name,
    },
  )
  const spec = fc.record({
    containers: named,
    nodeSelector: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('1', '2')),
  })

  it('does nothing with an empty patch, and the same thing twice only once', () => {
    fc.assert(
      fc.property(spec, spec, (original, patch) => {
        expect(strategicMerge(original, {}, podSpec)).toEqual(original)
        const once = strategicMerge(original, patch, podSpec)
        expect(strategicMerge(once, patch, podSpec)).toEqual(once)
      }),
    )
  })

  it('loses no item, repeats none, and lets the patch win', () => {
    fc.assert(
      fc.property(spec, spec, (original, patch) => {
        const { containers } = strategicMerge(deepFrozen(original), deepFrozen(patch), podSpec)
        const names = containers.map(({ name }) => name)
        expect(new Set(names)).toEqual(new Set([...original.containers, ...patch.containers].map(({ name }) => name)))
        expect(names.length).toBe(new Set(names).size)
        for (const item of patch.containers) expect(containers).toContainEqual(item)
        expect(names.filter((name) => patch.containers.some((item) => item.name === name))).toEqual(
          patch.containers.map(({ name }) => name),
        )
      }),
    )
  })
})

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

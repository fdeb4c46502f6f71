import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createStore } from './memory-store.ts'
import { keyOf, keyText } from './store.ts'

interface Item {
  metadata: { namespace?: string; name: string }
  tags: readonly string[]
}
const item = (name: string, tags: string[] = [], namespace = 'ns'): Item => ({ metadata: { namespace, name }, tags })
const indexers = { tag: (each: Item) => each.tags }

describe('a store', () => {
  test('finds objects by key and by index', () => {
    const store = createStore<Item>(indexers)
    store.set(item('a', ['x', 'y']))
    store.set(item('b', ['y']))
    store.set({ metadata: { name: 'cluster-wide' }, tags: [] })
    expect(store.get({ namespace: 'ns', name: 'a' })?.tags).toEqual(['x', 'y'])
    expect(store.get({ name: 'cluster-wide' })?.tags).toEqual([])
    expect(store.get({ name: 'a' })).toBeUndefined()
    expect(store.byIndex('tag', 'y').map((each) => each.metadata.name)).toEqual(['a', 'b'])
    expect(store.byIndex('tag', 'z')).toEqual([])
  })

  test('hands out the same list until something changes', () => {
    const store = createStore<Item>(indexers)
    store.set(item('a', ['x']))
    const [list, index] = [store.list(), store.byIndex('tag', 'x')]
    expect(store.list()).toBe(list)
    expect(store.byIndex('tag', 'x')).toBe(index)
    store.set(item('a', ['x']))
    expect(store.list()).not.toBe(list)
    expect(index).toHaveLength(1)
  })

  test('an index that does not exist is named together with those that do', () => {
    expect(() => createStore<Item>(indexers).byIndex('tags', 'x')).toThrow(/expected one of .*\(tag\), found "tags"/)
  })

  test('an indexer that throws leaves everything as it was', () => {
    const store = createStore<Item>({
      ...indexers,
      strict: (each) => {
        if (each.tags.includes('bad')) throw new Error('cannot index')
        return []
      },
    })
    store.set(item('a', ['x']))
    expect(() => store.set(item('a', ['bad']))).toThrow('cannot index')
    expect(store.byIndex('tag', 'x')).toHaveLength(1)
    expect(store.byIndex('tag', 'bad')).toEqual([])
  })

  test('indexes always tell what a scan would', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.record({
      remove: fc.boolean(),
      name,
      namespace: fc.constantFrom('n', 'm'),
      // twice the same value must not confuse an index
      tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const store = createStore<Item>(indexers)
        const model = new Map<string, Item>()
        for (const each of steps) {
          const next = item(each.name, each.tags, each.namespace)
          const id = keyText(keyOf(next))
          if (each.remove) {
            expect(store.delete(keyOf(next))).toBe(model.get(id))
            model.delete(id)
          } else {
            expect(store.set(next)).toBe(model.get(id))
            model.set(id, next)
          }
          expect(new Set(store.list())).toEqual(new Set(model.values()))
          for (const tag of ['x', 'y', 'z']) {
            const scanned = [...model.values()].filter((one) => one.tags.includes(tag))
            expect(store.byIndex('tag', tag)).toHaveLength(scanned.length)
            expect(new Set(store.byIndex('tag', tag))).toEqual(new Set(scanned))
          }
        }
        expect(store.size).toBe(model.size)
      }),
    )
  })
})

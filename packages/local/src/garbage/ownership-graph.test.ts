import type { KubernetesObject } from '@trainjob/api'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { InformedKind } from '../informers.ts'
import { createOwnershipGraph } from './ownership-graph.ts'

const kind = {} as InformedKind

function object(uid: string, owners: readonly string[]): KubernetesObject {
  const ownerReferences = owners.map((owner) => ({ apiVersion: 'v1', kind: 'Thing', name: owner, uid: owner }))
  return { apiVersion: 'v1', kind: 'Thing', metadata: { uid, ownerReferences } }
}

const uid = fc.constantFrom('a', 'b', 'c', 'd')

it('knows the dependants of everyone after any changes', () => {
  const change = fc.record({ uid, owners: fc.option(fc.uniqueArray(uid)) })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const graph = createOwnershipGraph()
      const model = new Map<string, readonly string[]>()
      for (const each of changes) {
        if (each.owners === null) {
          graph.delete(each.uid)
          model.delete(each.uid)
        } else {
          graph.set({ kind, object: object(each.uid, each.owners) })
          model.set(each.uid, each.owners)
        }
        for (const owner of ['a', 'b', 'c', 'd']) {
          const expected = [...model].filter(([, owners]) => owners.includes(owner)).map(([dependant]) => dependant)
          const found = graph.dependants(owner).map((node) => node.object.metadata.uid)
          expect(found.sort()).toEqual(expected.sort())
        }
      }
    }),
  )
})

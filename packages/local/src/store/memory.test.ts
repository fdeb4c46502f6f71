import { expect, it } from 'vitest'
import { deepFreeze } from '../object/deep-freeze.ts'
import { createMemoryStore } from './memory.ts'
import { describeStore } from './store.suite.ts'
import { isStoreError } from './store-error.ts'

describeStore('memory store', async () => createMemoryStore({ beforeShare: deepFreeze }))

it('keeps a window of changes and says what lies before it', () => {
  const store = createMemoryStore({ window: 4 })
  for (let count = 0; count < 40; count++) {
    store.create('pods', `d/${count}`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: `${count}` } })
  }
  const seen: number[] = []
  store.watch('pods', store.version - 4, (event) => seen.push(event.version))
  expect(seen).toEqual([37, 38, 39, 40])
  expect(() => store.watch('pods', store.version - 10, () => {})).toThrow(
    expect.toSatisfy((error) => isStoreError(error, 'expired')),
  )
})

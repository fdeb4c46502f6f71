import { fakeClock } from '@trainjob/kube/testing'
import { expect, it } from 'vitest'
import { compactHistory } from './compaction.ts'
import { createMemoryStore } from './memory.ts'

const MINUTE_MS = 60_000

it('forgets what is older than five minutes and keeps what is younger', async () => {
  const store = createMemoryStore()
  const clock = fakeClock(0)
  const running = new AbortController()
  const add = (name: string) => store.create('pods', name, { apiVersion: 'v1', kind: 'Pod', metadata: { name } })
  const reaches = (version: number) => () => store.watch('pods', version, () => {})()
  add('early')
  compactHistory(store, clock, running.signal)
  await clock.advance(4 * MINUTE_MS)
  add('late')
  await clock.advance(1 * MINUTE_MS)
  expect(reaches(0)).toThrow(/too old/)
  expect(reaches(1)).not.toThrow()
  await clock.advance(5 * MINUTE_MS)
  expect(reaches(1)).toThrow(/too old/)
  expect(reaches(2)).not.toThrow()

  running.abort()
  add('after')
  await clock.advance(60 * MINUTE_MS)
  expect(reaches(2)).not.toThrow()
})

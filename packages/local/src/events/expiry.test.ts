import { type Event, Events } from '@trainjob/api'
import { expect, it } from 'vitest'
import { testServer } from '../server/testing/test-server.ts'
import { createEventExpiry } from './expiry.ts'

const MINUTE_MS = 60_000

function event(name: string, more: Partial<Event> = {}): Event {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', name: 'p' },
    reason: 'Testing',
    ...more,
  }
}

it('Events go an hour after they were last written', async () => {
  const { client, clock } = await testServer()
  const stopping = new AbortController()
  const names = async () => (await client.list(Events)).items.map(({ metadata }) => metadata.name)
  const pass = async (minutes: number) => {
    await clock.advance(minutes * MINUTE_MS)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const ago = (minutes: number) => new Date(clock.now() - minutes * MINUTE_MS).toISOString()
  // there before: what they say counts
  await client.create(Events, event('old', { lastTimestamp: ago(50) }))
  await client.create(Events, event('older', { eventTime: ago(70) }))
  const ended = createEventExpiry({ client, clock }).start(stopping.signal)
  try {
    await client.create(Events, event('once'))
    const again = await client.create(Events, event('again'))
    // the informer has listed them
    await new Promise((resolve) => setImmediate(resolve))
    await pass(1)
    // all were created a moment ago, whatever they say
    expect(await names()).toEqual(['again', 'old', 'older', 'once'])
    await pass(30)
    await client.update(Events, { ...again, count: 2 })
    await pass(31)
    expect(await names()).toEqual(['again'])
    await pass(30)
    expect(await names()).toEqual([])
  } finally {
    stopping.abort()
    await ended
  }
})

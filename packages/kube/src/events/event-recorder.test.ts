import { describe, expect, test } from 'vitest'
import { ApiError } from '../error.ts'
import type { KubeObject } from '../object.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { failure } from '../testing/memory-server.suite.ts'
import type { EventObject } from './event.ts'
import { createEventRecorder } from './event-recorder.ts'

function setUp() {
  const clock = fakeClock(Date.UTC(2026, 0, 1))
  const written = new Map<string, EventObject>()
  const errors: unknown[] = []
  const down = { now: false }
  let calls = 0
  const fail = () => {
    calls++
    if (down.now) throw new ApiError(failure(503, 'ServiceUnavailable'))
  }
  const recorder = createEventRecorder({
    clock,
    component: 'test-controller',
    onError: (error) => errors.push(error),
    client: {
      async create(_, object) {
        fail()
        const name = `${object.metadata.generateName}${written.size}`
        const stored = { ...object, metadata: { ...object.metadata, name } }
        written.set(name, stored as unknown as EventObject)
        return stored
      },
      async patch(_, { name }, patch) {
        fail()
        const before = written.get(name)
        if (before === undefined) throw new ApiError(failure(404, 'NotFound'))
        written.set(name, { ...before, ...(patch as { body: object }).body })
        return before as never
      },
    },
  })
  return { clock, recorder, written, errors, down, calls: () => calls }
}

const job: KubeObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace: 'ns', name: 'job', uid: 'u1', resourceVersion: '7' },
}
const TEXT = { type: 'Normal', reason: 'Completed', message: 'Job completed' } as const

describe('an event recorder', () => {
  test('writes a core/v1 Event about the object', async () => {
    const { recorder, written } = setUp()
    recorder.record(job, TEXT)
    await recorder.flush()
    expect([...written.values()]).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { generateName: 'job.', name: 'job.0', namespace: 'ns' },
        involvedObject: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          namespace: 'ns',
          name: 'job',
          uid: 'u1',
          resourceVersion: '7',
        },
        ...TEXT,
        source: { component: 'test-controller' },
        reportingComponent: 'test-controller',
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
      },
    ])
  })

  test('counts what is told again, however it is spread over time', async () => {
    const { clock, recorder, written, calls } = setUp()
    for (let i = 0; i < 100; i++) recorder.record(job, TEXT)
    recorder.record(job, { ...TEXT, reason: 'Other' })
    await recorder.flush()
    expect(calls()).toBe(2)
    await clock.advance(60_000)
    recorder.record(job, TEXT)
    await recorder.flush()
    recorder.record(job, TEXT)
    await recorder.flush()
    expect([...written.values()]).toMatchObject([
      { count: 102, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:01:00Z' },
      { count: 1, reason: 'Other' },
    ])
  })

  test('starts anew when the server has forgotten the event', async () => {
    const { clock, recorder, written } = setUp()
    recorder.record(job, TEXT)
    await recorder.flush()
    written.clear()
    await clock.advance(3_600_000)
    recorder.record(job, TEXT)
    await recorder.flush()
    expect([...written.values()]).toMatchObject([{ count: 1, firstTimestamp: '2026-01-01T01:00:00Z' }])
  })

  test('puts events about objects without a namespace into the default one', async () => {
    const { recorder, written } = setUp()
    recorder.record({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, TEXT)
    await recorder.flush()
    expect([...written.values()]).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { kind: 'Node', name: 'n' } },
    ])
  })

  test('cuts messages at 1024 bytes without halving a character', async () => {
    const { recorder, written } = setUp()
    recorder.record(job, { ...TEXT, message: `${'a'.repeat(1020)}€€€` })
    await recorder.flush()
    const [event] = written.values()
    expect(event?.message).toBe(`${'a'.repeat(1020)}...`)
  })

  test('an event that cannot be written is told and dropped; the next is written', async () => {
    const { recorder, written, errors, down } = setUp()
    down.now = true
    recorder.record(job, TEXT)
    await recorder.flush()
    expect(errors).toHaveLength(1)
    down.now = false
    recorder.record(job, TEXT)
    await recorder.flush()
    expect([...written.values()]).toMatchObject([{ count: 1 }])
  })

  test('keeps at most a thousand waiting, the newest', async () => {
    const { recorder, written } = setUp()
    for (let i = 0; i < 1100; i++) recorder.record(job, { ...TEXT, message: String(i) })
    await recorder.flush()
    expect(written.size).toBe(1000)
    expect([...written.values()].at(-1)?.message).toBe('1099')
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { ApiError, ConnectionError } from '../error.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { failure } from '../testing/memory-server.suite.ts'
import { createLeaderElection, type LeaderElectionOptions } from './leader-election.ts'
import type { Lease } from './lease.ts'

const KEY = { namespace: 'ns', name: 'controller' }
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

/** A server with one Lease that may be cut off. */
function leaseServer() {
  let lease: Lease | undefined
  let version = 0
  const down = new Set<string>()
  const hang = new Set<string>()
  const store = (object: Lease): Lease => {
    lease = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } }
    return lease
  }
  const client = (who: string): Pick<Client, 'get' | 'create' | 'update'> => {
    const reach = async (signal: AbortSignal | undefined) => {
      if (down.has(who)) throw new ConnectionError('cut off')
      if (hang.has(who)) {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
        throw new ConnectionError('gave up')
      }
    }
    return {
      async get(_, __, options) {
        await reach(options?.signal)
        if (lease === undefined) throw new ApiError(failure(404, 'NotFound'))
        return lease as never
      },
      async create(_, object, options) {
        await reach(options?.signal)
        if (lease !== undefined) throw new ApiError(failure(409, 'AlreadyExists'))
        return store(object as Lease) as never
      },
      async update(_, object, options) {
        await reach(options?.signal)
        if (object.metadata.resourceVersion !== lease?.metadata.resourceVersion) {
          throw new ApiError(failure(409, 'Conflict'))
        }
        return store(object as Lease) as never
      },
    }
  }
  return { client, down, hang, store, lease: () => lease }
}

function candidate(
  who: string,
  server: ReturnType<typeof leaseServer>,
  clock: FakeClock,
  log: string[],
  options: Partial<LeaderElectionOptions> = {},
) {
  const stop = new AbortController()
  stops.push(stop)
  const election = createLeaderElection({
    client: server.client(who),
    clock,
    lease: KEY,
    identity: who,
    monotonic: () => clock.now(),
    random: () => 0,
    ...options,
  })
  const run = election
    .run(async (signal) => {
      log.push(`${who} leads`)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      log.push(`${who} ends`)
    }, stop.signal)
    .catch((error: Error & { code?: string }) => {
      log.push(`${who}: ${error.code}`)
    })
  return { election, stop, run }
}

describe('a leader election', () => {
  test('creates the lease with six-digit times and keeps renewing it', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    candidate('a', server, clock, log)
    await clock.advance(0)
    expect(log).toEqual(['a leads'])
    const first = server.lease()?.spec
    expect(first).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 })
    expect(first?.acquireTime).toMatch(MICRO_TIME)
    expect(first?.renewTime).toMatch(MICRO_TIME)
    await clock.advance(60_000)
    expect(server.lease()?.spec?.acquireTime).toBe(first?.acquireTime)
    expect(Date.parse(server.lease()?.spec?.renewTime ?? '')).toBeGreaterThan(clock.now() - 2_100)
  })

  test('lets one lead; another follows at once when it stops, because the lease is released', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    const a = candidate('a', server, clock, log)
    await clock.advance(0)
    const b = candidate('b', server, clock, log)
    await clock.advance(60_000)
    expect(log).toEqual(['a leads'])
    a.stop.abort()
    await a.run
    expect(server.lease()?.spec?.holderIdentity).toBe('')
    await clock.advance(2_000)
    expect(log).toEqual(['a leads', 'a ends', 'b leads'])
    expect(server.lease()?.spec).toMatchObject({ holderIdentity: 'b' })
    expect(a.election.leading).toBe(false)
    expect(b.election.leading).toBe(true)
  })

  test('a leader that is cut off stops before another starts', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    candidate('a', server, clock, log)
    await clock.advance(0)
    candidate('b', server, clock, log)
    await clock.advance(4_500)
    server.down.add('a')
    await clock.advance(12_000)
    expect(log).toEqual(['a leads', 'a ends', 'a: leadership-lost'])
    await clock.advance(8_000)
    expect(log).toEqual(['a leads', 'a ends', 'a: leadership-lost', 'b leads'])
    expect(server.lease()?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
  })

  test('a renewal that is never answered does not outlive the deadline', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    candidate('a', server, clock, log)
    await clock.advance(0)
    server.hang.add('a')
    await clock.advance(10_000)
    expect(log).toEqual(['a leads', 'a ends', 'a: leadership-lost'])
  })

  test('short outages change nothing', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    candidate('a', server, clock, log)
    await clock.advance(0)
    for (let i = 0; i < 5; i++) {
      server.down.add('a')
      await clock.advance(7_000)
      server.down.delete('a')
      await clock.advance(4_000)
    }
    expect(log).toEqual(['a leads'])
  })

  test('judges expiry by its own clock: times of a holder whose clock is wrong mean nothing', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    const held = (renewTime: string): Lease => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: KEY,
      spec: { holderIdentity: 'old', leaseDurationSeconds: 15, renewTime, leaseTransitions: 4 },
    })
    server.store(held('1999-01-01T00:00:00.000000Z'))
    candidate('b', server, clock, log)
    await clock.advance(10_000)
    server.store(held('1999-01-01T00:00:02.000000Z'))
    await clock.advance(14_000)
    expect(log).toEqual([])
    await clock.advance(6_000)
    expect(log).toEqual(['b leads'])
    expect(server.lease()?.spec?.leaseTransitions).toBe(5)
  })

  test('tells who leads', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const leaders: string[] = []
    candidate('a', server, clock, [])
    await clock.advance(0)
    candidate('b', server, clock, [], { onLeader: (identity) => leaders.push(identity) })
    await clock.advance(5_000)
    expect(leaders).toEqual(['a'])
  })

  test('ends and releases when the work ends; its error is handed on', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const election = createLeaderElection({ client: server.client('a'), clock, lease: KEY, identity: 'a' })
    await election.run(async () => {}, new AbortController().signal)
    expect(server.lease()?.spec?.holderIdentity).toBe('')
    await expect(
      election.run(async () => {
        throw new Error('broken work')
      }, new AbortController().signal),
    ).rejects.toThrow('broken work')
    expect(server.lease()?.spec?.holderIdentity).toBe('')
  })

  test('stops waiting when told to', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const log: string[] = []
    candidate('a', server, clock, log)
    await clock.advance(0)
    const b = candidate('b', server, clock, log)
    await clock.advance(0)
    b.stop.abort()
    await b.run
    expect(log).toEqual(['a leads'])
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../create-client.ts'
import { ApiError, KubeError } from '../error.ts'
import { createInformer } from '../informer/informer.ts'
import type { ObjectKey } from '../resource.ts'
import { keyText } from '../store/store.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { failure, memoryServer, type Thing, Things } from '../testing/memory-server.suite.ts'
import { type ControllerOptions, createController, type Reconcile } from './controller.ts'
import { ownerKeys } from './owner-keys.ts'
import { TerminalError } from './terminal-error.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

function setUp(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const server = memoryServer()
  const clock = fakeClock()
  const things = createInformer<Thing>({ client: createClient(server.transport), resource: Things, clock })
  const errors: string[] = []
  const controller = createController({
    name: 'test',
    clock,
    onError: (error, key) =>
      errors.push(`${key === undefined ? 'mapping' : keyText(key)}: ${(error as Error).message}`),
    ...options,
  })
    .for(things)
    .reconcile(reconcile)
  const stop = new AbortController()
  stops.push(stop)
  return { server, clock, things, controller, errors, stop }
}

describe('a controller', () => {
  test('reconciles what is there once synced, then every change', async () => {
    const seen: string[] = []
    const { server, clock, things, controller, stop } = setUp(async (key) => {
      expect(things.synced).toBe(true)
      seen.push(key.name)
    })
    server.set('ns', 'a', 1)
    server.set('ns', 'b', 1)
    const done = controller.run(stop.signal)
    await clock.advance(0)
    expect(seen.splice(0)).toEqual(['a', 'b'])
    server.set('ns', 'b', 2)
    server.delete('ns', 'a')
    await clock.advance(0)
    expect(seen).toEqual(['b', 'a'])
    stop.abort()
    await done
    expect(server.openWatches).toBe(0)
  })

  test('a change overtakes the initial list', async () => {
    const seen: string[] = []
    const { server, clock, controller, stop } = setUp(async (key) => {
      seen.push(key.name)
      if (key.name === 'a') controller.enqueue({ namespace: 'ns', name: 'c' })
      await Promise.resolve()
    })
    for (const name of ['a', 'b', 'c']) server.set('ns', name, 1)
    void controller.run(stop.signal)
    await clock.advance(0)
    expect(seen).toEqual(['a', 'c', 'b'])
  })

  test('an event reaches the reconciler within a few microtasks', async () => {
    const seen: string[] = []
    const { server, clock, controller, stop } = setUp(async (key) => {
      seen.push(key.name)
    })
    void controller.run(stop.signal)
    await clock.advance(0)
    server.set('ns', 'a', 1)
    let microtasks = 0
    for (; seen.length === 0 && microtasks < 50; microtasks++) await Promise.resolve()
    expect(microtasks).toBeLessThan(25)
  })

  test('an error means another try with back-off, success ends the series', async () => {
    const at: number[] = []
    const { server, clock, controller, errors, stop } = setUp(async () => {
      at.push(clock.now())
      if (at.length <= 3) throw new Error(`try ${at.length}`)
    })
    server.set('ns', 'a', 1)
    void controller.run(stop.signal)
    await clock.advance(60_000)
    expect(at.map((time) => time - (at[0] ?? 0))).toEqual([0, 5, 15, 35])
    expect(errors).toEqual(['ns/a: try 1', 'ns/a: try 2', 'ns/a: try 3'])
    expect(controller.queue.failures({ namespace: 'ns', name: 'a' })).toBe(0)
  })

  test('a terminal error means none, until something changes', async () => {
    let calls = 0
    const { server, clock, controller, errors, stop } = setUp(async () => {
      calls++
      throw new TerminalError('no way')
    })
    server.set('ns', 'a', 1)
    void controller.run(stop.signal)
    await clock.advance(3_600_000)
    expect(calls).toBe(1)
    expect(errors).toEqual(['ns/a: no way'])
    server.set('ns', 'a', 2)
    // long enough for a watch that is just being opened again
    await clock.advance(60_000)
    expect(calls).toBe(2)
  })

  test('warns of what it did not expect, and not of a world that has moved on', async () => {
    const warnings: string[] = []
    const note = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`)
    process.on('warning', note)
    try {
      const terminating = { ...failure(403, 'Forbidden'), details: { causes: [{ reason: 'NamespaceTerminating' }] } }
      const refusals = [
        failure(409, 'Conflict'),
        failure(409, 'AlreadyExists'),
        failure(404, 'NotFound'),
        terminating,
        failure(403, 'Forbidden'),
      ].map((status) => new ApiError(status))
      const server = memoryServer()
      const clock = fakeClock()
      const informer = createInformer<Thing>({ client: createClient(server.transport), resource: Things, clock })
      const controller = createController({ name: 'test', clock })
        .for(informer)
        .reconcile(async () => {
          const refusal = refusals.shift()
          if (refusal !== undefined) throw refusal
        })
      const stop = new AbortController()
      stops.push(stop)
      server.set('ns', 'a', 1)
      void controller.run(stop.signal)
      await clock.advance(60_000)
      expect(refusals).toEqual([])
      // warnings are told in the next turn
      await new Promise((resolve) => setImmediate(resolve))
      expect(warnings).toEqual(['KubeWarning: test ns/a: Forbidden of the test'])
    } finally {
      process.off('warning', note)
    }
  })

  test('looks again when the reconciler asks for it', async () => {
    const at: number[] = []
    const { server, clock, controller, stop } = setUp(async () => {
      at.push(clock.now())
      return at.length < 3 ? { requeueAfterMs: 30_000 } : undefined
    })
    server.set('ns', 'a', 1)
    void controller.run(stop.signal)
    await clock.advance(120_000)
    expect(at.map((time) => time - (at[0] ?? 0))).toEqual([0, 30_000, 60_000])
  })

  test('works on as many keys at once as it may, never twice on one', async () => {
    const now = new Set<string>()
    let most = 0
    const finish: (() => void)[] = []
    const { server, clock, controller, stop } = setUp(
      async (key) => {
        expect(now.has(key.name)).toBe(false)
        now.add(key.name)
        most = Math.max(most, now.size)
        await new Promise<void>((resolve) => finish.push(resolve))
        now.delete(key.name)
      },
      { concurrency: 3 },
    )
    for (let i = 0; i < 10; i++) server.set('ns', `t${i}`, 1)
    void controller.run(stop.signal)
    for (let i = 0; i < 30; i++) {
      await clock.advance(0)
      server.set('ns', 't0', i)
      finish.shift()?.()
    }
    expect(most).toBe(3)
    stop.abort()
    for (const each of finish) each()
  })

  test('stopped, it tells the reconciler, waits for it and starts nothing more', async () => {
    const log: string[] = []
    const { server, clock, controller, errors, stop } = setUp(async (key, { signal }) => {
      log.push(`start ${key.name}`)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(`end ${key.name}`)
      throw new KubeError('aborted', 'a call was aborted')
    })
    server.set('ns', 'a', 1)
    server.set('ns', 'b', 1)
    const done = controller.run(stop.signal)
    await clock.advance(0)
    stop.abort()
    await done
    expect(log).toEqual(['start a', 'end a'])
    expect(errors).toEqual([])
  })

  test('can be stopped before it has synced', async () => {
    const { server, controller, stop } = setUp(async () => {})
    server.failNext(new ApiError(failure(503, 'ServiceUnavailable')))
    const done = controller.run(stop.signal)
    stop.abort()
    await done
    expect(server.openWatches).toBe(0)
  })

  test('runs once', async () => {
    const { controller, stop } = setUp(async () => {})
    stop.abort()
    await controller.run(stop.signal)
    await expect(controller.run(stop.signal)).rejects.toMatchObject({ code: 'usage' })
  })

  test('a burst of keys lets timers and sockets have their turn', async () => {
    let turns = 0
    let working = true
    const { server, controller, stop } = setUp(async () => {
      if (controller.queue.length === 0) working = false
    })
    for (let i = 0; i < 1000; i++) server.set('ns', `t${i}`, 1)
    void controller.run(stop.signal)
    while (working) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
    expect(turns).toBeGreaterThan(10)
  })

  test('maps other objects to keys; a mapping that throws is reported and harms nothing', async () => {
    const seen: string[] = []
    const server = memoryServer()
    const clock = fakeClock()
    const things = createInformer<Thing>({ client: createClient(server.transport), resource: Things, clock })
    const errors: unknown[] = []
    const controller = createController({ name: 'test', clock, onError: (error) => errors.push(error) })
      .watches(things, (thing, old): ObjectKey[] => {
        if (thing.spec?.value === 13) throw new Error('unlucky')
        return [
          { name: `now-${thing.spec?.value}` },
          ...(old === undefined ? [] : [{ name: `was-${old.spec?.value}` }]),
        ]
      })
      .reconcile(async (key) => {
        seen.push(key.name)
      })
    const stop = new AbortController()
    stops.push(stop)
    void controller.run(stop.signal)
    await clock.advance(0)
    for (const value of [1, 13, 2]) server.set('ns', 'a', value)
    await clock.advance(0)
    expect(seen).toEqual(['now-1', 'now-2', 'was-13'])
    expect(errors.map(String)).toEqual(['Error: unlucky'])
  })
})

describe('ownerKeys', () => {
  const owned = (name: string, more: object = {}): Thing => ({
    apiVersion: 'example.test/v1',
    kind: 'Thing',
    metadata: {
      namespace: 'ns',
      name: 'pod',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'not-the-controller', uid: '0' },
        { apiVersion: 'batch/v1', kind: 'Job', name, uid: '1', controller: true, ...more },
      ],
    },
  })
  const job = { group: 'batch', kind: 'Job' }
  const cases: { name: string; keys: ObjectKey[]; expected: ObjectKey[] }[] = [
    { name: 'the controller owner', keys: ownerKeys(job, owned('j')), expected: [{ namespace: 'ns', name: 'j' }] },
    {
      name: 'of any version',
      keys: ownerKeys(job, owned('j', { apiVersion: 'batch/v1beta1' })),
      expected: [{ namespace: 'ns', name: 'j' }],
    },
    { name: 'not of another group', keys: ownerKeys(job, owned('j', { apiVersion: 'other/v1' })), expected: [] },
    { name: 'not of another kind', keys: ownerKeys({ group: 'batch', kind: 'CronJob' }, owned('j')), expected: [] },
    { name: 'not a mere owner', keys: ownerKeys({ group: '', kind: 'ConfigMap' }, owned('j')), expected: [] },
    {
      name: 'the former one too',
      keys: ownerKeys(job, owned('new'), owned('old')),
      expected: [
        { namespace: 'ns', name: 'new' },
        { namespace: 'ns', name: 'old' },
      ],
    },
    {
      name: 'once, when it stays',
      keys: ownerKeys(job, owned('j'), owned('j')),
      expected: [{ namespace: 'ns', name: 'j' }],
    },
    {
      name: 'outside namespaces',
      keys: ownerKeys({ ...job, namespaced: false }, owned('j')),
      expected: [{ name: 'j' }],
    },
  ]
  for (const { name, keys, expected } of cases) test(name, () => expect(keys).toEqual(expected))
})

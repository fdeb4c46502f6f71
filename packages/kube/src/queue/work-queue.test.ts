import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { createWorkQueue, type WorkQueue } from './work-queue.ts'

function setUp(): { clock: FakeClock; queue: WorkQueue<string> } {
  const clock = fakeClock(0)
  return { clock, queue: createWorkQueue<string>({ clock, id: (key) => key }) }
}

/** Everything that can be taken without waiting. */
async function takeAll(queue: WorkQueue<string>): Promise<string[]> {
  const taken: string[] = []
  while (queue.length > 0) {
    const key = await queue.take()
    if (key === undefined) break
    taken.push(key)
    queue.done(key)
  }
  return taken
}

describe('a work queue', () => {
  test('hands keys out in order, each once', async () => {
    const { queue } = setUp()
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key)
    expect(await takeAll(queue)).toEqual(['a', 'b', 'c'])
  })

  test('keeps a key that is being worked on until it is done', async () => {
    const { queue } = setUp()
    queue.add('a')
    const key = await queue.take()
    queue.add('a')
    queue.add('a')
    expect(queue.length).toBe(0)
    queue.done(key as string)
    expect(await takeAll(queue)).toEqual(['a'])
  })

  test('wakes a waiting taker without a timer', async () => {
    const { queue } = setUp()
    const taken = queue.take()
    queue.add('a')
    expect(await taken).toBe('a')
  })

  test('hands low keys out when nothing else waits, and raises them when asked', async () => {
    const { queue } = setUp()
    for (const key of ['l1', 'l2', 'l3']) queue.add(key, 'low')
    queue.add('n1')
    queue.add('l3')
    queue.add('n1', 'low')
    expect(await takeAll(queue)).toEqual(['n1', 'l3', 'l1', 'l2'])
  })

  test('adds after a delay; the earliest of several counts', async () => {
    const { clock, queue } = setUp()
    queue.addAfter('a', 1000)
    queue.addAfter('a', 300)
    queue.addAfter('a', 2000)
    await clock.advance(299)
    expect(queue.length).toBe(0)
    await clock.advance(1)
    expect(await takeAll(queue)).toEqual(['a'])
    await clock.advance(10_000)
    expect(queue.length).toBe(0)
  })

  test('an addition now takes the place of a delayed one', async () => {
    const { clock, queue } = setUp()
    queue.addAfter('a', 1000)
    queue.add('a')
    expect(await takeAll(queue)).toEqual(['a'])
    expect(clock.pending).toBe(0)
  })

  test('backs off from 5 ms to 1000 s for each key, until it is forgotten', async () => {
    const { clock, queue } = setUp()
    const waits: number[] = []
    for (let i = 0; i < 20; i++) {
      queue.addRateLimited('a')
      waits.push((clock.nextAt ?? 0) - clock.now())
      await clock.next()
      await takeAll(queue)
    }
    expect(waits.slice(0, 5)).toEqual([5, 10, 20, 40, 80])
    expect(waits.slice(17)).toEqual([655_360, 1_000_000, 1_000_000])
    expect(queue.failures('a')).toBe(20)
    queue.addRateLimited('b')
    expect(clock.nextAt).toBe(clock.now() + 5)
    queue.forget('a')
    queue.addRateLimited('a')
    expect(clock.nextAt).toBe(clock.now() + 5)
  })

  test('shut down, it drops what waits and lets takers go', async () => {
    const { clock, queue } = setUp()
    const taker = queue.take()
    queue.addAfter('later', 10)
    queue.shutDown()
    expect(await taker).toBeUndefined()
    queue.add('a')
    queue.addAfter('a', 1)
    expect(await queue.take()).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  test('drained, it hands out what waits and what comes back, then ends', async () => {
    const { queue } = setUp()
    queue.add('a')
    queue.add('b')
    const a = await queue.take()
    queue.add('a')
    let drained = false
    const drain = queue.drain().then(() => {
      drained = true
    })
    queue.add('too late')
    expect(await queue.take()).toBe('b')
    const third = queue.take()
    queue.done('b')
    queue.done(a as string)
    expect(await third).toBe('a')
    expect(drained).toBe(false)
    queue.done('a')
    await drain
    expect(await queue.take()).toBeUndefined()
  })

  test('a hundred thousand keys pass in a moment', async () => {
    const { queue } = setUp()
    for (let i = 0; i < 100_000; i++) queue.add(String(i), i % 2 === 0 ? 'low' : 'normal')
    const taken = await takeAll(queue)
    expect(taken).toHaveLength(100_000)
    expect(taken.slice(0, 2)).toEqual(['1', '3'])
  })

  type Step = { do: 'add' | 'low' | 'after' | 'limited' | 'finish' | 'time'; key: string; ms: number }
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('add', 'low', 'after', 'limited', 'finish', 'time'),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    ms: fc.integer({ min: 0, max: 40 }),
  })

  /** Workers that hold a key until they are told to finish it. */
  function staff(queue: WorkQueue<string>, workers: number) {
    const held = new Map<string, () => void>()
    /** Additions not yet followed by a hand-out. */
    const owed = new Set<string>()
    async function work(): Promise<void> {
      for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
        expect(held.has(key)).toBe(false)
        owed.delete(key)
        await new Promise<void>((finish) => held.set(key as string, finish))
        held.delete(key)
        queue.done(key)
      }
    }
    const finishAll = () => {
      for (const finish of [...held.values()]) finish()
    }
    return { held, owed, finishAll, ended: Promise.all(Array.from({ length: workers }, work)) }
  }

  test('whatever happens, no key is handed out twice at once and none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, workers) => {
        const { clock, queue } = setUp()
        const { held, owed, finishAll, ended } = staff(queue, workers)
        const adding: Partial<Record<Step['do'], (key: string, ms: number) => void>> = {
          add: (key) => queue.add(key),
          low: (key) => queue.add(key, 'low'),
          after: (key, ms) => queue.addAfter(key, ms),
          limited: (key) => queue.addRateLimited(key),
        }
        for (const { do: what, key, ms } of steps) {
          if (what === 'finish') held.get(key)?.()
          else if (what === 'time') await clock.advance(ms)
          else owed.add(key)
          adding[what]?.(key, ms)
          for (let i = 0; i < 4; i++) await Promise.resolve()
        }
        // every worker finishes and every delay passes
        for (let i = 0; i < 50 && (owed.size > 0 || held.size > 0); i++) {
          await clock.advance(100_000)
          finishAll()
        }
        expect([...owed]).toEqual([])
        const drained = queue.drain()
        finishAll()
        await drained
        await ended
      }),
      { numRuns: 200 },
    )
  })
})

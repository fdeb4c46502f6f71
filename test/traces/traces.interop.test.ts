import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { agree, agreeThroughout, EXCEPTIONS, MOST_REPLAYED, relaxedTraces } from './exceptions.ts'
import { play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { embeddedStage, type OpenStage, realStage } from './stages.ts'
import type { Trace } from './trace.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: traces against a real control plane. ${built.missing}\n`)

/** Scenarios that are played at the same time; each spends its time waiting. */
const AT_ONCE = 30
const MINUTES = 60_000

interface Played {
  readonly embedded: Trace
  readonly real: Trace
}

describe.skipIf('missing' in built)('the embedded cluster and a real one', () => {
  const stages: OpenStage[] = []
  const played = new Map<Scenario, Promise<Played>>()
  const replayed: string[] = []

  beforeAll(async () => {
    const embedded = await embeddedStage()
    stages.push(embedded)
    const real = await realStage(built as BuiltControlPlane)
    stages.push(real)
    const free = slots(AT_ONCE)
    const once = async (scenario: Scenario, namespace: string): Promise<Played> => {
      const expected = await play(embedded, scenario, namespace)
      return { embedded: expected, real: await play(real, scenario, namespace, expected) }
    }
    for (const [at, scenario] of Object.values(SCENARIOS).flat().entries()) {
      const both = free(async () => {
        const first = await once(scenario, `trace-${at}`)
        if (agreeThroughout(first.embedded, first.real)) return first
        replayed.push(scenario.name)
        return once(scenario, `trace-${at}-again`)
      })
      both.catch(() => {}) // its test tells
      played.set(scenario, both)
    }
  }, 2 * MINUTES)
  afterAll(async () => {
    await Promise.allSettled(played.values())
    await Promise.all(stages.map((stage) => stage.close()))
  }, 5 * MINUTES)

  describe.each(Object.entries(SCENARIOS))('%s', (_, scenarios) => {
    it.each(scenarios)(
      '$name',
      async (scenario) => {
        const { embedded, real } = (await played.get(scenario)) as Played
        const [ours, theirs] = relaxedTraces(embedded, real)
        expect(ours).toEqual(theirs)
      },
      5 * MINUTES,
    )
  })

  it(
    'agree at once, nearly always',
    async () => {
      await Promise.all(played.values())
      if (replayed.length > 0) process.stderr.write(`Played again: ${replayed.join('; ')}\n`)
      expect(replayed.length).toBeLessThanOrEqual(MOST_REPLAYED)
    },
    5 * MINUTES,
  )

  it.each(EXCEPTIONS)(
    'differ in this: $name',
    async (exception) => {
      const others = EXCEPTIONS.filter((other) => other !== exception)
      const all = await Promise.all(played.values())
      const differ = all.some(({ embedded, real }) =>
        embedded.some((sight, at) => !agree(sight, real[at] as Trace[number], others)),
      )
      expect(differ).toBe(true)
    },
    5 * MINUTES,
  )
})

/** Runs work as soon as fewer than `count` others are running. */
function slots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

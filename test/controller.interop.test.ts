import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { type Happening, happening } from './render/event-arbitrary.ts'
import { ourRequests } from './render/events.ts'
import { ourPass, upstreamPass } from './render/pass.ts'
import { pass } from './render/pass-arbitrary.ts'
import { seeded } from './render/seeded.ts'

const built = await buildOracle('2.3.0')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with upstream's controller. ${built.missing}\n`)

describe.skipIf('missing' in built)('the controller against that of Kubeflow Trainer 2.3.0', () => {
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle(built as BuiltOracle)
  })
  afterAll(() => oracle[Symbol.asyncDispose]())

  it('does in a pass what upstream does', async () => {
    let compared = 0
    const settings = seeded<[Question]>('generated passes of the controller', 1_200)
    await fc.assert(
      fc.asyncProperty(pass, async (asked) => {
        const answer = await oracle.ask(asked)
        if (answer.schemaErrors) return
        compared++
        const ours = await ourPass(asked)
        if (answer.error?.startsWith('panic')) {
          // kinds of runtimes that it does not know, flux without a number of nodes: ours says what is wrong
          expect([...ours.events, ...ours.conditions].join()).toMatch(/CreationFailed|Failed \| True|Complete \| True/)
          return
        }
        expect(ours).toEqual(upstreamPass(answer, asked))
      }),
      settings,
    )
    expect(compared).toBeGreaterThan((settings.numRuns ?? 0) * 0.8)
  }, 7_200_000)

  it('looks at the jobs that upstream looks at', async () => {
    let enqueued = 0
    await fc.assert(
      fc.asyncProperty(happening, async (asked: Happening) => {
        const { requests = [], error } = await oracle.ask(asked.question)
        expect(error).toBeUndefined()
        expect(requests).toEqual(asked.upstream)
        expect(await ourRequests(asked)).toEqual(asked.ours)
        if (requests.length > 0) enqueued++
      }),
      seeded<[Happening]>('generated events', 200),
    )
    expect(enqueued).toBeGreaterThan(0)
  }, 7_200_000)
})

import { RenderError, strategicMerge, structSchema } from '@trainjob/runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TYPE_TABLE } from '../packages/runtime/src/schema/table.ts'
import { type MergeQuestion, mergeQuestion } from './merge/merge-arbitrary.ts'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type LineProcess, runOracle, startLines } from './oracle/oracle.ts'
import { seeded } from './render/seeded.ts'

const built = await buildOracle('2.3.0')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with Kubernetes' strategic merge. ${built.missing}\n`)

describe.skipIf('missing' in built)("strategic merge against Kubernetes' own", () => {
  const { binary } = built as BuiltOracle
  let go: LineProcess
  beforeAll(() => {
    go = startLines(binary, ['merge'])
  })
  afterAll(() => go[Symbol.asyncDispose]())

  it('agrees on generated patches with every directive', async () => {
    const settings = seeded<[MergeQuestion]>('generated patches', 500)
    let refused = 0
    await fc.assert(
      fc.asyncProperty(mergeQuestion, async (question) => {
        const { merged, error } = JSON.parse(await go.send(JSON.stringify(question))) as MergeAnswer
        fc.pre(error !== NO_ELEMENTS)
        if (!merged) refused++
        expect(ours(question), error).toEqual(merged ? decoded(merged) : 'refused')
      }),
      settings,
    )
    expect(refused).toBeLessThan((settings.numRuns ?? 0) / 2)
  }, 600_000)

  it('has the table of types that the Go types give', async () => {
    expect(TYPE_TABLE).toEqual(JSON.parse(await runOracle(binary, ['types'])))
  })
})

interface MergeAnswer {
  readonly merged?: object
  readonly error?: string
}

/** Kubernetes cannot order two empty lists; we can. */
const NO_ELEMENTS = 'no elements in any of the given slices'

function ours({ type, original, patch }: MergeQuestion): unknown {
  try {
    return decoded(strategicMerge(original, patch, structSchema(type)))
  } catch (error) {
    if (error instanceof RenderError) return 'refused'
    throw error
  }
}

/** What a decoder of Go types keeps: in list items that were not there before, Kubernetes leaves nulls and directives. */
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, field]) => field !== null && !key.startsWith('$'))
  return Object.fromEntries(kept.map(([key, field]) => [key, decoded(field)]))
}

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantity,
  multiplyQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '@trainjob/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type LineProcess, startLines } from './oracle/oracle.ts'
import { seeded } from './render/seeded.ts'

const built = await buildOracle('2.3.0')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with Kubernetes' quantities. ${built.missing}\n`)

interface QuantityQuestion {
  readonly a: string
  readonly b: string
  readonly factor: number
}

interface QuantityAnswer {
  readonly a?: string
  readonly value?: string
  readonly milli?: string
  readonly sum?: string
  readonly rest?: string
  readonly product?: string
  readonly compare: number
  readonly error?: string
}

const digits = fc.stringMatching(/^[0-9]{1,6}$/)
const number = fc.oneof(
  { weight: 3, arbitrary: digits },
  { weight: 2, arbitrary: fc.tuple(digits, fc.stringMatching(/^[0-9]{0,11}$/)).map((parts) => parts.join('.')) },
  { weight: 1, arbitrary: digits.map((part) => `.${part}`) },
)
const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-2', 'e+7')
/** What people write by mistake, and what is near to being right. */
const slip = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', 'i', 'b', 'K', 'gi', 'e', 'E+', '-', '..', '1', 'ki', '٣') },
)

const amount = fc
  .tuple(fc.constantFrom('', '', '', '-', '+'), number, suffix, slip)
  .map(([sign, value, unit, wrong]) => sign + value + unit + wrong)

const question: fc.Arbitrary<QuantityQuestion> = fc.record({
  a: amount,
  b: amount,
  factor: fc.integer({ min: -8, max: 64 }),
})

describe.skipIf('missing' in built)("quantities against Kubernetes' own", () => {
  let go: LineProcess
  beforeAll(() => {
    go = startLines((built as BuiltOracle).binary, ['quantity'])
  })
  afterAll(() => go[Symbol.asyncDispose]())

  it('agrees on what is one, how it is written, and what comes of arithmetic', async () => {
    let read = 0
    const settings = seeded<[QuantityQuestion]>('generated quantities', 1_000)
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { error, ...theirs } = JSON.parse(await go.send(JSON.stringify(asked))) as QuantityAnswer
        const both = isQuantity(asked.a) && isQuantity(asked.b)
        expect(both, error).toBe(error === undefined)
        if (!both) return
        read++
        expect(ours(asked, theirs.value !== undefined)).toEqual(theirs)
      }),
      settings,
    )
    expect(read).toBeGreaterThan((settings.numRuns ?? 0) / 4)
  }, 600_000)
})

function ours({ a, b, factor }: QuantityQuestion, fits: boolean): QuantityAnswer {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  return {
    a: formatQuantity(left),
    ...(fits && { value: String(quantityValue(left)), milli: String(quantityMilliValue(left)) }),
    sum: formatQuantity(addQuantities(left, right)),
    rest: formatQuantity(subtractQuantities(left, right)),
    product: formatQuantity(multiplyQuantity(left, factor)),
    compare: compareQuantities(left, right),
  }
}

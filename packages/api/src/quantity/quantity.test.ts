import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiModelError } from '../error.ts'
import { canonicalQuantity, formatQuantity } from './format-quantity.ts'
import { isQuantity, parseQuantity } from './parse-quantity.ts'
import {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
  ZERO_QUANTITY,
} from './quantity.ts'

const SUFFIXES = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'e3', 'E-2', 'e+7']
const number = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }).map(String),
  fc.tuple(fc.integer({ min: -9999, max: 9999 }), fc.stringMatching(/^[0-9]{0,6}$/)).map(([a, b]) => `${a}.${b}`),
)
const quantityText = fc.tuple(number, fc.constantFrom(...SUFFIXES)).map(([n, suffix]) => n + suffix)

describe('quantities', () => {
  // what k8s.io/apimachinery v0.36 answers for the same texts: String, Value, MilliValue
  it.each([
    ['0', '0', 0n, 0n],
    ['1', '1', 1n, 1000n],
    ['500m', '500m', 1n, 500n],
    ['1.5', '1500m', 2n, 1500n],
    ['1000m', '1', 1n, 1000n],
    ['1000', '1k', 1000n, 1_000_000n],
    ['1500', '1500', 1500n, 1_500_000n],
    ['1.5Gi', '1536Mi', 1_610_612_736n, 1_610_612_736_000n],
    ['1024Ki', '1Mi', 1_048_576n, 1_048_576_000n],
    ['1Ki', '1Ki', 1024n, 1_024_000n],
    ['0.5Ki', '512', 512n, 512_000n],
    ['1.1Ki', '1126400m', 1127n, 1_126_400n],
    ['16Gi', '16Gi', 17_179_869_184n, 17_179_869_184_000n],
    ['8Ei', '9223372036854775807', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807_000n],
    ['1e3', '1e3', 1000n, 1_000_000n],
    ['12E2', '1200', 1200n, 1_200_000n],
    ['1E', '1E', 10n ** 18n, 10n ** 21n],
    ['0.1n', '1n', 1n, 1n],
    ['1.0000000001', '1000000001n', 2n, 1001n],
    ['.5', '500m', 1n, 500n],
    ['5.', '5.', 5n, 5000n],
    ['-1.5', '-1500m', -2n, -1500n],
    ['+2Mi', '+2Mi', 2_097_152n, 2_097_152_000n],
    ['007', '007', 7n, 7000n],
  ])('read %s as Kubernetes does', (text, canonical, value, milli) => {
    const quantity = parseQuantity(text)
    expect([formatQuantity(quantity), quantityValue(quantity), quantityMilliValue(quantity)]).toEqual([
      canonical,
      value,
      milli,
    ])
  })

  it('may be numbers, as JSON has them', () => {
    expect(canonicalQuantity(2)).toBe('2')
    expect(canonicalQuantity(0.5)).toBe('500m')
    expect(canonicalQuantity(4000)).toBe('4k')
  })

  it('keep the suffix E where Kubernetes would lose the value', () => {
    expect(canonicalQuantity('1000E')).toBe('1000E')
  })

  it.each([
    '',
    ' ',
    'lots',
    '1 Gi',
    '1GB',
    '1gi',
    '1e',
    '1e1.5',
    '.',
    '-',
    'Ki',
    '1.2.3',
    '0x10',
    '1e9999',
    'NaN',
    'Infinity',
  ])('refuse %j and say what a quantity looks like', (text) => {
    expect(isQuantity(text)).toBe(false)
    expect(() => parseQuantity(text)).toThrow(ApiModelError)
    expect(() => parseQuantity(text)).toThrow(/like 500m, 2, 16Gi/)
  })

  it.each([
    ['1gb', '1Gi'],
    ['16GB', '16Gi'],
    ['4gi', '4Gi'],
    ['1K', '1k'],
    ['2g', '2G'],
    ['1 Gi', '1Gi'],
  ])('suggest for %s what was meant', (text, meant) => {
    expect(() => parseQuantity(text)).toThrow(`did you mean ${meant}?`)
  })

  it('mean the same before and after canonical writing', () => {
    fc.assert(
      fc.property(quantityText, (text) => {
        const quantity = parseQuantity(text)
        const again = parseQuantity(formatQuantity(quantity))
        expect(compareQuantities(quantity, again)).toBe(0)
        expect(canonicalQuantity(text)).toBe(formatQuantity(quantity))
      }),
    )
  })

  it('are written without a fraction once they come out of a sum', () => {
    fc.assert(
      fc.property(quantityText, quantityText, (a, b) => {
        const sum = addQuantities(parseQuantity(a), parseQuantity(b))
        // binary amounts from 2^63 on are capped when they are read again
        fc.pre(compareQuantities(sum, parseQuantity('9E')) < 0 && compareQuantities(sum, parseQuantity('-9E')) > 0)
        const text = formatQuantity(sum)
        expect(text).toMatch(/^-?(0|[1-9][0-9]*)([KMGTPE]i|[numkMGTPE]|e-?[0-9]+)?$/)
        expect(compareQuantities(parseQuantity(text), sum)).toBe(0)
        // a binary amount without a suffix is taken for a decimal one when it is read again
        if (sum.format !== 'binary' || /i$/.test(text)) expect(canonicalQuantity(text)).toBe(text)
      }),
    )
  })

  it('add, subtract and multiply exactly', () => {
    fc.assert(
      fc.property(quantityText, quantityText, fc.integer({ min: -50, max: 50 }), (left, right, factor) => {
        const a = parseQuantity(left)
        const b = parseQuantity(right)
        expect(compareQuantities(addQuantities(a, b), addQuantities(b, a))).toBe(0)
        expect(compareQuantities(subtractQuantities(addQuantities(a, b), b), a)).toBe(0)
        let sum = ZERO_QUANTITY
        for (let i = 0; i < Math.abs(factor); i++) sum = addQuantities(sum, a)
        expect(compareQuantities(multiplyQuantity(a, Math.abs(factor)), sum)).toBe(0)
      }),
    )
  })

  it('are ordered like the numbers they stand for', () => {
    const byMilli = (a: string, b: string) => Math.sign(Number(a) - Number(b))
    const milli = fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String)
    fc.assert(
      fc.property(milli, milli, (a, b) => {
        expect(compareQuantities(parseQuantity(`${a}m`), parseQuantity(`${b}m`))).toBe(byMilli(a, b))
      }),
    )
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1G'))).toBe(1)
    expect(compareQuantities(parseQuantity('1024Mi'), parseQuantity('1Gi'))).toBe(0)
  })

  it('take the format of the first that is not zero', () => {
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('2Gi')))).toBe('2Gi')
    expect(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1G')))).toBe('2073741824')
    expect(formatQuantity(addQuantities(parseQuantity('1G'), parseQuantity('1Gi')))).toBe('2073741824')
  })
})

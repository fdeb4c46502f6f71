import type { Quantity } from '../kubernetes/pod.ts'
import { parseQuantity } from './parse-quantity.ts'
import type { QuantityValue } from './quantity.ts'

const DECIMAL_SUFFIXES: Readonly<Record<number, string>> = {
  [-9]: 'n',
  [-6]: 'u',
  [-3]: 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
  15: 'P',
  18: 'E',
}
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * The text Kubernetes prints: no fraction, the largest suffix that loses nothing, in the format the amount was written
 * in; binary amounts below 1024 or with a fraction become decimal.
 *
 * One difference: decimal amounts of 1000E and more keep the suffix `E`, where Kubernetes drops the suffix and with it
 * the value.
 *
 * @example
 * formatQuantity(parseQuantity('1.5Gi')) // => '1536Mi'
 * formatQuantity(parseQuantity('0.1')) // => '100m'
 */
export function formatQuantity(quantity: QuantityValue): string {
  if (quantity.text !== undefined) return quantity.text
  if (quantity.mantissa === 0n) return '0'
  return quantity.format === 'binary' ? formatBinary(quantity) : formatDecimal(quantity)
}

/**
 * `formatQuantity(parseQuantity(text))`, quick for texts that are canonical already. Throws as `parseQuantity` does.
 *
 * @example
 * canonicalQuantity('2048Mi') // => '2Gi'
 */
export function canonicalQuantity(text: Quantity): string {
  return typeof text === 'string' && CANONICAL.test(text) ? text : formatQuantity(parseQuantity(text))
}

/** Some (not all) canonical texts: at most three digits, and no way to move up a suffix. */
const CANONICAL = /^[1-9][0-9]{0,2}(?:[numkMGTPE]|)$|^[1-9]?[0-9]?[13579](?:[KMGT]i)$/

function formatBinary(quantity: QuantityValue): string {
  const { mantissa, exponent } = quantity
  const unit = 10n ** BigInt(Math.max(0, -exponent))
  const whole = exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / unit
  const exact = exponent >= 0 || mantissa % unit === 0n
  if (!exact || (whole > -1024n && whole < 1024n)) return formatDecimal({ mantissa, exponent, format: 'decimal' })
  let rest = whole
  let steps = 0
  while (steps < BINARY_SUFFIXES.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n
    steps++
  }
  return `${rest}${BINARY_SUFFIXES[steps]}`
}

function formatDecimal(quantity: QuantityValue): string {
  let { mantissa, exponent } = quantity
  while (mantissa % 10n === 0n) {
    mantissa /= 10n
    exponent++
  }
  const target = quantity.format === 'exponent' ? floorToThree(exponent) : Math.min(floorToThree(exponent), 18)
  const number = `${mantissa}${'0'.repeat(exponent - target)}`
  if (quantity.format === 'exponent') return target === 0 ? number : `${number}e${target}`
  return `${number}${DECIMAL_SUFFIXES[target] ?? `e${target}`}`
}

function floorToThree(exponent: number): number {
  return Math.floor(exponent / 3) * 3
}

import { ApiModelError } from '../error.ts'
import type { Quantity } from '../kubernetes/pod.ts'
import type { QuantityFormat, QuantityValue } from './quantity.ts'

/** What upstream's CRDs accept as a quantity, with the parts as groups. Source: k8s.io/apimachinery, the CRD pattern. */
const QUANTITY = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]+))?$/

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const BINARY_POWERS: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n }

/** Largest binary amount Kubernetes keeps; more is capped. */
const MAX_BINARY = 2n ** 63n - 1n
const NANO = -9
/** Kubernetes sets no limit; beyond this no resource is meant and arithmetic would get slow. */
const MAX_EXPONENT = 1000
const MAX_LENGTH = 1000

/**
 * Reads `500m`, `16Gi`, `1.5`, `2e3` or a plain number, exactly. What is finer than a nano is rounded up (away from
 * zero); binary amounts are capped at 2^63 − 1. Both as Kubernetes does.
 *
 * @throws ApiModelError `invalid-quantity`
 * @example
 * quantityMilliValue(parseQuantity('1.5')) // => 1500n
 * quantityValue(parseQuantity('1Gi')) // => 1073741824n
 * parseQuantity('16gb') // throws invalid-quantity
 */
export function parseQuantity(quantity: Quantity): QuantityValue {
  const parsed = readQuantity(String(quantity).trim())
  if (parsed === undefined) throw new ApiModelError('invalid-quantity', quantityFault(quantity))
  return parsed
}

/**
 * Whether `parseQuantity` can read it.
 *
 * @example
 * isQuantity('500m') // => true
 * isQuantity('lots') // => false
 */
export function isQuantity(quantity: unknown): quantity is Quantity {
  return (typeof quantity === 'string' || typeof quantity === 'number') && readQuantity(String(quantity)) !== undefined
}

/**
 * What is wrong with a text that is not a quantity, with the likely slip where one is known.
 *
 * @example
 * quantityFault('16gb')
 * // => 'expected a quantity: a number with an optional suffix, like 500m, 2, 16Gi or 1.5M; found "16gb"; did you mean 16Gi?'
 */
export function quantityFault(quantity: unknown): string {
  const text = String(quantity)
  return `expected a quantity: a number with an optional suffix, like 500m, 2, 16Gi or 1.5M; found ${JSON.stringify(text)}${slip(text)}`
}

function slip(text: string): string {
  const match = /^\s*([+-]?[0-9.]+)\s*([a-z]+?)(i?)b?\s*$/i.exec(text)
  if (match === null) return ''
  const [, number = '', unit = '', binary] = match
  const suffix = binary === '' ? (SUFFIX_SLIPS.get(unit.toLowerCase()) ?? unit) : `${unit.toUpperCase()}i`
  const fixed = `${number}${/b\s*$/i.test(text) && binary === '' ? `${unit.toUpperCase()}i` : suffix}`
  return fixed !== text && readQuantity(fixed) !== undefined ? `; did you mean ${fixed}?` : ''
}

/** Suffixes in the wrong case. */
const SUFFIX_SLIPS: ReadonlyMap<string, string> = new Map([
  ['k', 'k'],
  ['g', 'G'],
  ['t', 'T'],
  ['p', 'P'],
  ['ki', 'Ki'],
])

function readQuantity(text: string): QuantityValue | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = QUANTITY.exec(text)
  if (match === null) return undefined
  const [, sign, integer = '', dotted, bare, binary, decimal, power] = match
  const fraction = dotted ?? bare ?? ''
  const whole = integer.replace(/^0+/, '')
  const digits = whole + fraction
  const magnitude = BigInt(digits === '' ? 0 : digits)
  const mantissa = sign === '-' ? -magnitude : magnitude
  if (binary !== undefined) return readBinary(text, mantissa, fraction, binary)
  const format: QuantityFormat = power === undefined ? 'decimal' : 'exponent'
  const shift = decimal !== undefined ? (DECIMAL_EXPONENTS[decimal] ?? 0) : power !== undefined ? Number(power) : 0
  if (Math.abs(shift) > MAX_EXPONENT) return undefined
  const exponent = shift - fraction.length
  if (exponent < NANO) return { ...roundUpToNano(mantissa, exponent), format }
  return { mantissa, exponent, format, ...(whole !== '' && keepsText(digits, exponent) ? { text } : {}) }
}

function readBinary(text: string, mantissa: bigint, fraction: string, suffix: string): QuantityValue {
  const power = BINARY_POWERS[suffix] ?? 0n
  const shifted = mantissa << power
  // whole numbers that are no multiple of 8 cannot move up a suffix: the text is canonical
  if (fraction === '' && (mantissa & 7n) !== 0n && abs(shifted) <= MAX_BINARY && fitsFastPath(mantissa, power)) {
    return { mantissa: shifted, exponent: 0, format: 'binary', text }
  }
  const amount = roundUpToNano(shifted, -fraction.length)
  const limit = MAX_BINARY * 10n ** BigInt(-amount.exponent)
  if (abs(amount.mantissa) > limit) {
    return { mantissa: amount.mantissa < 0n ? -MAX_BINARY : MAX_BINARY, exponent: 0, format: 'binary' }
  }
  const one = 10n ** BigInt(-amount.exponent)
  return { ...amount, format: abs(amount.mantissa) < one && amount.mantissa !== 0n ? 'decimal' : 'binary' }
}

/** Kubernetes keeps the text of small binary amounts only; same bound, so that both print the same. */
function fitsFastPath(mantissa: bigint, power: bigint): boolean {
  return 15 - abs(mantissa).toString().length - Math.trunc((Number(power) * 3) / 10) - 1 >= 0
}

/** Kubernetes takes these for canonical and prints them as written (also `1.500`, which it would not write itself). */
function keepsText(digits: string, exponent: number): boolean {
  return exponent % 3 === 0 && digits.length <= 18 && !digits.endsWith('000')
}

function roundUpToNano(mantissa: bigint, exponent: number): { mantissa: bigint; exponent: number } {
  if (exponent >= NANO) return { mantissa, exponent }
  const divisor = 10n ** BigInt(NANO - exponent)
  const quotient = mantissa / divisor
  const remainder = mantissa % divisor
  return { mantissa: remainder === 0n ? quotient : remainder > 0n ? quotient + 1n : quotient - 1n, exponent: NANO }
}

function abs(n: bigint): bigint {
  return n < 0n ? -n : n
}

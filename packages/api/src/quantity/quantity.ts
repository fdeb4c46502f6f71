/**
 * An exact amount of a resource: `mantissa × 10^exponent`, never a float.
 *
 * `format` is how the amount was written and will be written again: `binary` (`Ki`, `Mi` …), `decimal` (`m`, `k`, `M` …)
 * or `exponent` (`1e3`). `text` is there when the written form counts as canonical, see `formatQuantity`.
 *
 * Source: k8s.io/apimachinery, pkg/api/resource/quantity.go.
 */
export interface QuantityValue {
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: QuantityFormat
  readonly text?: string
}

/** How an amount was written, see `QuantityValue`. */
export type QuantityFormat = 'binary' | 'decimal' | 'exponent'

/** Where sums begin. */
export const ZERO_QUANTITY: QuantityValue = { mantissa: 0n, exponent: 0, format: 'decimal' }

/**
 * −1, 0 or 1, whatever the formats are.
 *
 * @example
 * compareQuantities(parseQuantity('1Gi'), parseQuantity('1G')) // => 1
 */
export function compareQuantities(a: QuantityValue, b: QuantityValue): -1 | 0 | 1 {
  const exponent = Math.min(a.exponent, b.exponent)
  const left = scaled(a, exponent)
  const right = scaled(b, exponent)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The sum. It is written like `a`, or like `b` when `a` is zero.
 *
 * @example
 * formatQuantity(addQuantities(parseQuantity('1.5'), parseQuantity('700m'))) // => '2200m'
 */
export function addQuantities(a: QuantityValue, b: QuantityValue): QuantityValue {
  const exponent = Math.min(a.exponent, b.exponent)
  return {
    mantissa: scaled(a, exponent) + scaled(b, exponent),
    exponent,
    format: a.mantissa === 0n ? b.format : a.format,
  }
}

/**
 * `a − b`. It is written like `a`, or like `b` when `a` is zero.
 *
 * @example
 * formatQuantity(subtractQuantities(parseQuantity('2Gi'), parseQuantity('512Mi'))) // => '1536Mi'
 */
export function subtractQuantities(a: QuantityValue, b: QuantityValue): QuantityValue {
  return addQuantities(a, { mantissa: -b.mantissa, exponent: b.exponent, format: b.format })
}

/**
 * `a × factor`. Throws `RangeError` when `factor` is no integer.
 *
 * @example
 * formatQuantity(multiplyQuantity(parseQuantity('500m'), 3)) // => '1500m'
 */
export function multiplyQuantity(a: QuantityValue, factor: number | bigint): QuantityValue {
  return { mantissa: a.mantissa * BigInt(factor), exponent: a.exponent, format: a.format }
}

/**
 * The amount as an integer; a fraction is rounded away from zero, so 1m of a GPU is one GPU.
 *
 * @example
 * quantityValue(parseQuantity('1500m')) // => 2n
 */
export function quantityValue(a: QuantityValue): bigint {
  return roundedTo(a, 0)
}

/**
 * The amount in thousandths; smaller fractions are rounded away from zero.
 *
 * @example
 * quantityMilliValue(parseQuantity('2')) // => 2000n
 */
export function quantityMilliValue(a: QuantityValue): bigint {
  return roundedTo(a, -3)
}

/** The mantissa at a smaller (or equal) exponent. */
function scaled(a: QuantityValue, exponent: number): bigint {
  return a.exponent === exponent ? a.mantissa : a.mantissa * 10n ** BigInt(a.exponent - exponent)
}

/** The mantissa at any exponent, rounded away from zero. */
function roundedTo(a: QuantityValue, exponent: number): bigint {
  if (a.exponent >= exponent) return scaled(a, exponent)
  const divisor = 10n ** BigInt(exponent - a.exponent)
  const quotient = a.mantissa / divisor
  const remainder = a.mantissa % divisor
  if (remainder === 0n) return quotient
  return remainder > 0n ? quotient + 1n : quotient - 1n
}

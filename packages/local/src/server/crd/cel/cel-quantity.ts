import type { Environment } from '@marcbachmann/cel-js'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityValue,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '@trainjob/api'

/** A quantity inside an expression. */
class CelQuantity {
  readonly value: QuantityValue
  constructor(value: QuantityValue) {
    this.value = value
  }
  toString(): string {
    return formatQuantity(this.value)
  }
}

/** `quantity('1Gi')` and what can be done with it (source: k8s.io/apiserver, pkg/cel/library/quantity.go). */
export function registerQuantities(environment: Environment): Environment {
  const compare = (a: CelQuantity, b: CelQuantity) => compareQuantities(a.value, b.value)
  const sign = ({ value: { mantissa } }: CelQuantity) => (mantissa === 0n ? 0n : mantissa > 0n ? 1n : -1n)
  const whole = ({ value }: CelQuantity) => quantityMilliValue(value) === quantityValue(value) * 1000n
  const other = (b: CelQuantity | bigint): QuantityValue =>
    b instanceof CelQuantity ? b.value : parseQuantity(String(b))
  return environment
    .registerType('Quantity', { ctor: CelQuantity, fields: {} })
    .registerFunction('quantity(string): Quantity', (text: string) => new CelQuantity(parseQuantity(text)))
    .registerFunction('isQuantity(string): bool', isQuantity)
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a, b) => compare(a, b) > 0)
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a, b) => compare(a, b) < 0)
    .registerFunction('Quantity.compareTo(Quantity): int', (a, b) => BigInt(compare(a, b)))
    .registerOperator('Quantity == Quantity', (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0)
    .registerFunction('Quantity.sign(): int', sign)
    .registerFunction('Quantity.isInteger(): bool', whole)
    .registerFunction('Quantity.asInteger(): int', (a: CelQuantity) => {
      if (!whole(a)) throw new RangeError(`cannot convert value to integer: ${a}`)
      return quantityValue(a.value)
    })
    .registerFunction(
      'Quantity.asApproximateFloat(): double',
      ({ value }: CelQuantity) => Number(value.mantissa) * 10 ** value.exponent,
    )
    .registerFunction('Quantity.add(Quantity): Quantity', (a, b) => new CelQuantity(addQuantities(a.value, other(b))))
    .registerFunction('Quantity.add(int): Quantity', (a, b) => new CelQuantity(addQuantities(a.value, other(b))))
    .registerFunction(
      'Quantity.sub(Quantity): Quantity',
      (a, b) => new CelQuantity(subtractQuantities(a.value, other(b))),
    )
    .registerFunction('Quantity.sub(int): Quantity', (a, b) => new CelQuantity(subtractQuantities(a.value, other(b))))
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text)
    return true
  } catch {
    return false
  }
}

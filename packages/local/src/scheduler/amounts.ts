import {
  formatQuantity,
  parseQuantity,
  type QuantityFormat,
  type QuantityValue,
  type ResourceList,
} from '@trainjob/api'

/** Exact amounts by resource, in billionths: what a quantity can express and not finer. */
export type Amounts = ReadonlyMap<string, bigint>

const NANO_EXPONENT = -9

/** One of a resource. */
export const ONE: bigint = 10n ** 9n

/** Reads a list of quantities. Throws like `parseQuantity`. */
export function amountsOf(list: ResourceList | undefined): Map<string, bigint> {
  const amounts = new Map<string, bigint>()
  for (const [name, quantity] of Object.entries(list ?? {})) amounts.set(name, billionths(parseQuantity(quantity)))
  return amounts
}

function billionths({ mantissa, exponent }: QuantityValue): bigint {
  return mantissa * 10n ** BigInt(exponent - NANO_EXPONENT)
}

/** The amount as Kubernetes writes it, memory in binary units. */
export function formatAmount(name: string, amount: bigint): string {
  const binary = name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')
  const format: QuantityFormat = binary ? 'binary' : 'decimal'
  return formatQuantity({ mantissa: amount, exponent: NANO_EXPONENT, format })
}

/** Adds in place, `times` times. */
export function add(total: Map<string, bigint>, amounts: Amounts, times = 1n): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0n) + amount * times)
}

/** Raises in place to at least `amounts`. */
export function raise(total: Map<string, bigint>, amounts: Amounts): void {
  for (const [name, amount] of amounts) if (amount > (total.get(name) ?? 0n)) total.set(name, amount)
}

/** The same text for equal amounts. */
export function signatureOf(amounts: Amounts): string {
  return [...amounts]
    .filter(([, amount]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join()
}

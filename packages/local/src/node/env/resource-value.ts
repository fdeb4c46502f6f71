import { type Container, parseQuantity, type Quantity, quantityMilliValue } from '@trainjob/api'

/**
 * The value of a `resourceFieldRef` such as `limits.cpu`, in units of `divisor` (1 when left out) and rounded up. A
 * limit that is not set is what the node can give; a request that is not set is 0, or the limit where there is one.
 * `undefined` for a path that Kubernetes does not offer.
 */
export function resourceValue(
  container: Container,
  path: string,
  divisor: Quantity | undefined,
  allocatable: Readonly<Record<string, string>>,
): string | undefined {
  const dot = path.indexOf('.')
  const kind = path.slice(0, dot)
  const resource = path.slice(dot + 1)
  if (kind !== 'limits' && kind !== 'requests') return undefined
  const { limits, requests } = container.resources ?? {}
  const amount =
    kind === 'limits' ? (limits?.[resource] ?? allocatable[resource]) : (requests?.[resource] ?? limits?.[resource])
  const unit = divisor === undefined || Number(divisor) === 0 ? '1' : divisor
  // Milli on both sides: exact for every divisor Kubernetes allows (1m, 1, k, Ki, …).
  const value = quantityMilliValue(parseQuantity(amount ?? 0))
  const step = quantityMilliValue(parseQuantity(unit))
  return String((value + step - 1n) / step)
}

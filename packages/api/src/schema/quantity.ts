import { z } from 'zod'
import type { Quantity, ResourceList } from '../kubernetes/pod.ts'
import { isQuantity, quantityFault } from '../quantity/parse-quantity.ts'

/** An amount as upstream's CRDs accept it: a whole number or a text. A number with a fraction must be a text. */
export const quantity: z.ZodType<Quantity> = z.custom<Quantity>(isWholeQuantity, {
  error: ({ input }) => quantityMessage(input),
  params: { wrongType: (input: unknown) => typeof input !== 'string' },
})

/** Amounts by the name of the resource. */
export const resourceList: z.ZodType<ResourceList> = z.record(z.string(), quantity)

/** A port or the like: a whole number or a text. */
export const intOrString: z.ZodType<number | string> = z.custom<number | string>(
  (input) => typeof input === 'string' || Number.isInteger(input),
  {
    error: ({ input }) => `expected a whole number or a text, found ${JSON.stringify(input) ?? 'nothing'}`,
    params: { wrongType: () => true },
  },
)

function isWholeQuantity(input: unknown): boolean {
  return (typeof input === 'string' || Number.isInteger(input)) && isQuantity(input)
}

function quantityMessage(input: unknown): string {
  if (typeof input === 'number') return `expected a quantity; fractions must be in quotes: "${input}"`
  return quantityFault(typeof input === 'string' ? input : JSON.stringify(input))
}

import { z } from 'zod'
import type { Quantity, ResourceList } from '../kubernetes/pod.ts'
import { isQuantity, quantityFault } from '../quantity/parse-quantity.ts'
import { withServerRules } from './server-rules.ts'

const INT_OR_STRING = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true }

/** Source: k8s.io/apimachinery, pkg/api/resource/quantity.go, in the form of upstream's CRDs. */
const PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

/** An amount as upstream's CRDs accept it: a whole number or a text. A number with a fraction must be a text. */
export const quantity: z.ZodType<Quantity> = withServerRules(
  z.custom<Quantity>(isWholeQuantity, {
    error: ({ input }) => quantityMessage(input),
    params: { wrongType: (input: unknown) => typeof input !== 'string' },
  }),
  { schema: { ...INT_OR_STRING, pattern: PATTERN } },
)

/** Amounts by the name of the resource. */
export const resourceList: z.ZodType<ResourceList> = z.record(z.string(), quantity)

/** A port or the like: a whole number or a text. */
export const intOrString: z.ZodType<number | string> = withServerRules(
  z.custom<number | string>((input) => typeof input === 'string' || Number.isInteger(input), {
    error: ({ input }) => `expected a whole number or a text, found ${JSON.stringify(input) ?? 'nothing'}`,
    params: { wrongType: () => true },
  }),
  { schema: INT_OR_STRING },
)

function isWholeQuantity(input: unknown): boolean {
  return (typeof input === 'string' || Number.isInteger(input)) && isQuantity(input)
}

function quantityMessage(input: unknown): string {
  if (typeof input === 'number') return `expected a quantity; fractions must be in quotes: "${input}"`
  return quantityFault(typeof input === 'string' ? input : JSON.stringify(input))
}

import { z } from 'zod'
import type { Quantity } from '../kubernetes/pod.ts'
import { quantity } from './quantity.ts'
import { type ServerRules, withServerRules } from './server-rules.ts'
import { text } from './simple-fields.ts'

/** The name may be left out, as in Go, where it then is the empty one. Owned as a whole. */
export const REFERENCE_RULES: ServerRules = { atomic: true, defaults: { name: '' } }

/** Reference to an object of the same namespace. */
export const localObjectReference: z.ZodType<{ name?: string }> = withServerRules(
  z.strictObject({ name: text }),
  REFERENCE_RULES,
)

/** Reference to a field of the pod itself. */
export const objectFieldSelector: z.ZodType<{ apiVersion?: string; fieldPath: string }> = z.lazy(() =>
  withServerRules(z.strictObject({ apiVersion: text, fieldPath: z.string() }), { atomic: true }),
)

/** Reference to a request or limit of a container. */
export const resourceFieldSelector: z.ZodType<{ containerName?: string; resource: string; divisor?: Quantity }> =
  z.lazy(() =>
    withServerRules(
      z.strictObject({
        containerName: text,
        resource: z.string(),
        divisor: quantity.exactOptional(),
      }),
      { atomic: true },
    ),
  )

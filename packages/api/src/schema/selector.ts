import { z } from 'zod'

/** What a label selector, or a selector of nodes, may say. */
export interface SelectorRequirement {
  key: string
  operator: string
  values?: string[]
}

export const selectorRequirement: z.ZodType<SelectorRequirement> = z.lazy(() =>
  z.strictObject({
    key: z.string(),
    operator: z.string(),
    values: z.array(z.string()).exactOptional(),
  }),
)

/** `metav1.LabelSelector`. */
export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: SelectorRequirement[]
}

export const labelSelector: z.ZodType<LabelSelector> = z.lazy(() =>
  z.strictObject({
    matchLabels: z.record(z.string(), z.string()).exactOptional(),
    matchExpressions: z.array(selectorRequirement).exactOptional(),
  }),
)

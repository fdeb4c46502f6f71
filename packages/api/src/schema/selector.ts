import { z } from 'zod'
import { withServerRules } from './server-rules.ts'
import { textMap, texts } from './simple-fields.ts'

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
    values: texts,
  }),
)

/** `metav1.LabelSelector`. */
export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: SelectorRequirement[]
}

export const labelSelector: z.ZodType<LabelSelector> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      matchLabels: textMap,
      matchExpressions: z.array(selectorRequirement).exactOptional(),
    }),
    { atomic: true },
  ),
)

import { z } from 'zod'
import { labelSelector, selectorRequirement } from './selector.ts'
import { withServerRules } from './server-rules.ts'
import { texts } from './simple-fields.ts'

/** Where a pod would like to run, or must. */
export const affinity: z.ZodType<Record<string, unknown>> = z.lazy(() => {
  const nodeTerm = withServerRules(
    z.strictObject({
      matchExpressions: z.array(selectorRequirement).exactOptional(),
      matchFields: z.array(selectorRequirement).exactOptional(),
    }),
    { atomic: true },
  )
  const podTerm = z.strictObject({
    labelSelector: labelSelector.exactOptional(),
    matchLabelKeys: texts,
    mismatchLabelKeys: texts,
    namespaceSelector: labelSelector.exactOptional(),
    namespaces: texts,
    topologyKey: z.string(),
  })
  const pods = z.strictObject({
    preferredDuringSchedulingIgnoredDuringExecution: z
      .array(z.strictObject({ podAffinityTerm: podTerm, weight: z.int32() }))
      .exactOptional(),
    requiredDuringSchedulingIgnoredDuringExecution: z.array(podTerm).exactOptional(),
  })
  return z.strictObject({
    nodeAffinity: z
      .strictObject({
        preferredDuringSchedulingIgnoredDuringExecution: z
          .array(z.strictObject({ preference: nodeTerm, weight: z.int32() }))
          .exactOptional(),
        requiredDuringSchedulingIgnoredDuringExecution: withServerRules(
          z.strictObject({ nodeSelectorTerms: z.array(nodeTerm) }),
          { atomic: true },
        ).exactOptional(),
      })
      .exactOptional(),
    podAffinity: pods.exactOptional(),
    podAntiAffinity: pods.exactOptional(),
  })
})

import { z } from 'zod'
import type { EnvFromSource, EnvVar, EnvVarSource } from '../kubernetes/pod.ts'
import { objectFieldSelector, REFERENCE_RULES, resourceFieldSelector } from './reference.ts'
import { withServerRules } from './server-rules.ts'
import { flag, text } from './simple-fields.ts'

/** One variable of a container's environment. */
export const envVar: z.ZodType<EnvVar> = z.strictObject({
  name: z.string(),
  value: text,
  valueFrom: z.lazy(envVarSource).exactOptional(),
})

function envVarSource(): z.ZodType<EnvVarSource> {
  const keyRef = withServerRules(
    z.strictObject({
      name: text,
      key: z.string(),
      optional: flag,
    }),
    REFERENCE_RULES,
  )
  return z.strictObject({
    fieldRef: objectFieldSelector.exactOptional(),
    resourceFieldRef: resourceFieldSelector.exactOptional(),
    configMapKeyRef: keyRef.exactOptional(),
    secretKeyRef: keyRef.exactOptional(),
    fileKeyRef: withServerRules(
      z.strictObject({
        key: z.string(),
        path: z.string(),
        volumeName: z.string(),
        optional: flag,
      }),
      { atomic: true, defaults: { optional: false } },
    ).exactOptional(),
  }) as z.ZodType<EnvVarSource>
}

/** Many variables at once, from a ConfigMap or Secret. */
export const envFromSource: z.ZodType<EnvFromSource> = z.lazy(() => {
  const ref = withServerRules(z.strictObject({ name: text, optional: flag }), REFERENCE_RULES)
  return z.strictObject({
    prefix: text,
    configMapRef: ref.exactOptional(),
    secretRef: ref.exactOptional(),
  })
}) as z.ZodType<EnvFromSource>

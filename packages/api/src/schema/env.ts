import { z } from 'zod'
import type { EnvFromSource, EnvVar, EnvVarSource } from '../kubernetes/pod.ts'
import { quantity } from './quantity.ts'
import { flag, text } from './simple-fields.ts'

/** One variable of a container's environment. */
export const envVar: z.ZodType<EnvVar> = z.strictObject({
  name: z.string(),
  value: text,
  valueFrom: z.lazy(envVarSource).exactOptional(),
})

function envVarSource(): z.ZodType<EnvVarSource> {
  const keyRef = z.strictObject({
    name: text,
    key: z.string(),
    optional: flag,
  })
  return z.strictObject({
    fieldRef: z.strictObject({ apiVersion: text, fieldPath: z.string() }).exactOptional(),
    resourceFieldRef: z
      .strictObject({
        containerName: text,
        resource: z.string(),
        divisor: quantity.exactOptional(),
      })
      .exactOptional(),
    configMapKeyRef: keyRef.exactOptional(),
    secretKeyRef: keyRef.exactOptional(),
    fileKeyRef: z
      .strictObject({
        key: z.string(),
        path: z.string(),
        volumeName: z.string(),
        optional: flag,
      })
      .exactOptional(),
  }) as z.ZodType<EnvVarSource>
}

/** Many variables at once, from a ConfigMap or Secret. */
export const envFromSource: z.ZodType<EnvFromSource> = z.lazy(() => {
  const ref = z.strictObject({ name: text, optional: flag })
  return z.strictObject({
    prefix: text,
    configMapRef: ref.exactOptional(),
    secretRef: ref.exactOptional(),
  })
}) as z.ZodType<EnvFromSource>

import { z } from 'zod'
import type { EnvFromSource, EnvVar, EnvVarSource } from '../kubernetes/pod.ts'
import { quantity } from './quantity.ts'

/** One variable of a container's environment. */
export const envVar: z.ZodType<EnvVar> = z.strictObject({
  name: z.string(),
  value: z.string().exactOptional(),
  valueFrom: z.lazy(envVarSource).exactOptional(),
})

function envVarSource(): z.ZodType<EnvVarSource> {
  const keyRef = z.strictObject({
    name: z.string().exactOptional(),
    key: z.string(),
    optional: z.boolean().exactOptional(),
  })
  return z.strictObject({
    fieldRef: z.strictObject({ apiVersion: z.string().exactOptional(), fieldPath: z.string() }).exactOptional(),
    resourceFieldRef: z
      .strictObject({
        containerName: z.string().exactOptional(),
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
        optional: z.boolean().exactOptional(),
      })
      .exactOptional(),
  }) as z.ZodType<EnvVarSource>
}

/** Many variables at once, from a ConfigMap or Secret. */
export const envFromSource: z.ZodType<EnvFromSource> = z.lazy(() => {
  const ref = z.strictObject({ name: z.string().exactOptional(), optional: z.boolean().exactOptional() })
  return z.strictObject({
    prefix: z.string().exactOptional(),
    configMapRef: ref.exactOptional(),
    secretRef: ref.exactOptional(),
  })
}) as z.ZodType<EnvFromSource>

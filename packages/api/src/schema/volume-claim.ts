import { z } from 'zod'
import { embeddedMetadata } from './metadata.ts'
import { resourceList } from './quantity.ts'
import { labelSelector } from './selector.ts'
import { text, texts } from './simple-fields.ts'

/** `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    accessModes: texts,
    dataSource: z.strictObject({ apiGroup: text, kind: z.string(), name: z.string() }).exactOptional(),
    dataSourceRef: z
      .strictObject({ apiGroup: text, kind: z.string(), name: z.string(), namespace: text })
      .exactOptional(),
    resources: z
      .strictObject({ limits: resourceList.exactOptional(), requests: resourceList.exactOptional() })
      .exactOptional(),
    selector: labelSelector.exactOptional(),
    storageClassName: text,
    volumeAttributesClassName: text,
    volumeMode: text,
    volumeName: text,
  }),
)

/** A claim that a JobSet makes for its jobs. Its status means nothing there and is not looked at. */
export const persistentVolumeClaimTemplate: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    apiVersion: text,
    kind: text,
    // upstream's rule about the namespace fails without it
    metadata: embeddedMetadata,
    spec: persistentVolumeClaimSpec.exactOptional(),
    status: z.record(z.string(), z.unknown()).exactOptional(),
  }),
)

import { z } from 'zod'
import { dateTime } from './date-time.ts'
import { list } from './list.ts'
import { embeddedMetadata } from './metadata.ts'
import { resourceList } from './quantity.ts'
import { labelSelector } from './selector.ts'
import { withServerRules } from './server-rules.ts'
import { text, textMap, texts } from './simple-fields.ts'

/** `PersistentVolumeClaimSpec`. */
export const persistentVolumeClaimSpec: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    accessModes: texts,
    dataSource: withServerRules(z.strictObject({ apiGroup: text, kind: z.string(), name: z.string() }), {
      atomic: true,
    }).exactOptional(),
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

/** A claim's status, which is in the type of a template, too, and means nothing there. */
function claimStatus() {
  return z.strictObject({
    accessModes: texts,
    allocatedResourceStatuses: textMap,
    allocatedResources: resourceList.exactOptional(),
    capacity: resourceList.exactOptional(),
    conditions: list(
      z.strictObject({
        type: z.string(),
        status: z.string(),
        reason: text,
        message: text,
        lastProbeTime: dateTime.exactOptional(),
        lastTransitionTime: dateTime.exactOptional(),
      }),
      { keys: { type: undefined } },
    ).exactOptional(),
    currentVolumeAttributesClassName: text,
    modifyVolumeStatus: z.strictObject({ status: z.string(), targetVolumeAttributesClassName: text }).exactOptional(),
    phase: text,
  })
}

/** A claim that a JobSet makes for its jobs. */
export const persistentVolumeClaimTemplate: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      apiVersion: text,
      kind: text,
      // upstream's rule about the namespace fails without it
      metadata: embeddedMetadata,
      spec: persistentVolumeClaimSpec.exactOptional(),
      status: z.lazy(claimStatus).exactOptional(),
    }),
    { requiredByCheck: ['metadata'] },
  ),
)

import { z } from 'zod'
import type { ContainerPatch, PodSpecPatch, RuntimePatch } from '../trainer/types.ts'
import { UNNAMED_MANAGER } from '../trainer/unnamed-manager.ts'
import { affinity } from './affinity.ts'
import { volumeMount } from './container.ts'
import { dateTime } from './date-time.ts'
import { envVar } from './env.ts'
import { BY_NAME, list } from './list.ts'
import { embeddedMetadata } from './metadata.ts'
import { schedulingGate, toleration } from './pod-template.ts'
import { localObjectReference } from './reference.ts'
import { containerSecurityContext, podSecurityContext } from './security.ts'
import { withServerRules } from './server-rules.ts'
import { textMap } from './simple-fields.ts'
import { volume } from './volume.ts'

const name = z.string().min(1).max(253)

const containerPatch: z.ZodType<ContainerPatch> = z.lazy(() =>
  z.strictObject({
    name,
    env: list(envVar, { max: 128, keys: BY_NAME }).exactOptional(),
    // upstream tells these apart by name, though a pod does by mountPath
    volumeMounts: list(volumeMount, { max: 128, keys: BY_NAME }).exactOptional(),
    securityContext: containerSecurityContext.exactOptional(),
  }),
)

const podSpecPatch: z.ZodType<PodSpecPatch> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      serviceAccountName: z.string().max(253).exactOptional(),
      volumes: list(volume, { max: 128, keys: BY_NAME }).exactOptional(),
      initContainers: list(containerPatch, { max: 64, keys: BY_NAME }).exactOptional(),
      containers: list(containerPatch, { max: 64, keys: BY_NAME }).exactOptional(),
      imagePullSecrets: list(localObjectReference, { max: 64, keys: { name: '' } }).exactOptional(),
      securityContext: podSecurityContext.exactOptional(),
      nodeSelector: textMap,
      affinity: affinity.exactOptional(),
      tolerations: list(toleration, { max: 128 }).exactOptional(),
      schedulingGates: list(schedulingGate, { max: 16, keys: BY_NAME }).exactOptional(),
      terminationGracePeriodSeconds: z.int().min(0).exactOptional(),
    }),
    {
      immutable: [
        'serviceAccountName',
        'volumes',
        'initContainers',
        'containers',
        'imagePullSecrets',
        'securityContext',
        'terminationGracePeriodSeconds',
      ],
    },
  ),
)

const metadata = embeddedMetadata.exactOptional()

const replicatedJobPatch = z.lazy(() =>
  z.strictObject({
    name,
    template: z
      .strictObject({
        metadata,
        spec: z
          .strictObject({
            template: z.strictObject({ metadata, spec: podSpecPatch.exactOptional() }).exactOptional(),
          })
          .exactOptional(),
      })
      .exactOptional(),
  }),
)

/** What a manager changes in the runtime of one TrainJob. */
export const runtimePatch: z.ZodType<RuntimePatch> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      manager: name,
      time: dateTime.exactOptional(),
      trainingRuntimeSpec: z
        .strictObject({
          template: z
            .strictObject({
              metadata,
              spec: z
                .strictObject({
                  replicatedJobs: list(replicatedJobPatch, { max: 100, keys: BY_NAME }).exactOptional(),
                })
                .exactOptional(),
            })
            .exactOptional(),
        })
        .exactOptional(),
    }),
    {
      immutable: ['manager'],
      fields: {
        manager: 'Who makes the changes: a domain, a slash and a name.',
        time: 'When the changes were made.',
        trainingRuntimeSpec: 'The changes, laid out like the spec of a runtime and merged into it.',
      },
      // a key of a list needs a default before a webhook can write it
      dialect: { fields: ['managerKey', 'patch'], defaults: { manager: UNNAMED_MANAGER } },
    },
  ),
)

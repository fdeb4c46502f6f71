import { z } from 'zod'
import type { Container, ContainerPort, ResourceRequirements, VolumeMount } from '../kubernetes/pod.ts'
import { envFromSource, envVar } from './env.ts'
import { BY_NAME, list } from './list.ts'
import { lifecycle, probe } from './probe.ts'
import { resourceList } from './quantity.ts'
import { containerSecurityContext } from './security.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int32, text, texts } from './simple-fields.ts'

export const resourceRequirements: z.ZodType<ResourceRequirements> = z.lazy(() =>
  z.strictObject({
    limits: resourceList.exactOptional(),
    requests: resourceList.exactOptional(),
    claims: list(z.strictObject({ name: z.string(), request: text }), { keys: BY_NAME }).exactOptional(),
  }),
)

export const volumeMount: z.ZodType<VolumeMount> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    mountPath: z.string(),
    mountPropagation: text,
    readOnly: flag,
    recursiveReadOnly: text,
    subPath: text,
    subPathExpr: text,
  }),
)

const containerPort: z.ZodType<ContainerPort> = z.lazy(() =>
  withServerRules(
    z.strictObject({
      containerPort: z.int32(),
      hostIP: text,
      hostPort: int32,
      name: text,
      protocol: text,
    }),
    { defaults: { protocol: 'TCP' } },
  ),
)

function restartPolicyRule() {
  return z.strictObject({
    action: z.string(),
    exitCodes: z
      .strictObject({ operator: z.string(), values: list(z.int32(), { set: true }).exactOptional() })
      .exactOptional(),
  })
}

/** A container, an init container or (with `targetContainerName`) an ephemeral one. */
export const container: z.ZodType<Container> = z.lazy(() => containerOf({}))
export const ephemeralContainer: z.ZodType<Container> = z.lazy(() => containerOf({ targetContainerName: text }))

function containerOf(more: z.ZodRawShape): z.ZodType<Container> {
  return z.strictObject({
    name: z.string(),
    image: text,
    command: texts,
    args: texts,
    workingDir: text,
    env: list(envVar, { keys: BY_NAME }).exactOptional(),
    envFrom: z.array(envFromSource).exactOptional(),
    ports: list(containerPort, { keys: { containerPort: undefined, protocol: 'TCP' } }).exactOptional(),
    resources: resourceRequirements.exactOptional(),
    volumeMounts: list(volumeMount, { keys: { mountPath: undefined } }).exactOptional(),
    livenessProbe: probe.exactOptional(),
    readinessProbe: probe.exactOptional(),
    startupProbe: probe.exactOptional(),
    restartPolicy: text,
    imagePullPolicy: text,
    lifecycle: lifecycle.exactOptional(),
    resizePolicy: z.array(z.strictObject({ resourceName: z.string(), restartPolicy: z.string() })).exactOptional(),
    restartPolicyRules: z.array(z.lazy(restartPolicyRule)).exactOptional(),
    securityContext: containerSecurityContext.exactOptional(),
    stdin: flag,
    stdinOnce: flag,
    terminationMessagePath: text,
    terminationMessagePolicy: text,
    tty: flag,
    volumeDevices: list(z.strictObject({ devicePath: z.string(), name: z.string() }), {
      keys: { devicePath: undefined },
    }).exactOptional(),
    ...more,
  }) as z.ZodType<Container>
}

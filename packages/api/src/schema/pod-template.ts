import { z } from 'zod'
import type { PodSpec, PodTemplateSpec } from '../kubernetes/pod.ts'
import { affinity } from './affinity.ts'
import { container, ephemeralContainer, resourceRequirements } from './container.ts'
import { BY_NAME, list } from './list.ts'
import { embeddedMetadata } from './metadata.ts'
import { resourceList } from './quantity.ts'
import { localObjectReference } from './reference.ts'
import { podSecurityContext } from './security.ts'
import { labelSelector } from './selector.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int, int32, text, texts } from './simple-fields.ts'
import { volume } from './volume.ts'

const named = z.strictObject({ name: z.string() })

const nodeSelector: z.ZodType<Record<string, string>> = z.lazy(() =>
  withServerRules(z.record(z.string(), z.string()), {
    atomic: true,
  }),
)

export const toleration: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    effect: text,
    key: text,
    operator: text,
    tolerationSeconds: int,
    value: text,
  }),
)

export const schedulingGate: z.ZodType<{ name: string }> = named

function topologySpreadConstraint() {
  return z.strictObject({
    labelSelector: labelSelector.exactOptional(),
    matchLabelKeys: texts,
    maxSkew: z.int32(),
    minDomains: int32,
    nodeAffinityPolicy: text,
    nodeTaintsPolicy: text,
    topologyKey: z.string(),
    whenUnsatisfiable: z.string(),
  })
}

/** Everything a pod of Kubernetes 1.36 may say. */
export const podSpec: z.ZodType<PodSpec> = z.lazy(() =>
  z.strictObject({
    containers: list(container, { keys: BY_NAME }),
    initContainers: list(container, { keys: BY_NAME }).exactOptional(),
    ephemeralContainers: list(ephemeralContainer, { keys: BY_NAME }).exactOptional(),
    volumes: list(volume, { keys: BY_NAME }).exactOptional(),
    restartPolicy: text,
    terminationGracePeriodSeconds: int,
    activeDeadlineSeconds: int,
    nodeName: text,
    nodeSelector: nodeSelector.exactOptional(),
    hostname: text,
    hostnameOverride: text,
    subdomain: text,
    serviceAccount: text,
    serviceAccountName: text,
    automountServiceAccountToken: flag,
    schedulerName: text,
    priority: int32,
    priorityClassName: text,
    preemptionPolicy: text,
    tolerations: z.array(toleration).exactOptional(),
    affinity: affinity.exactOptional(),
    topologySpreadConstraints: list(z.lazy(topologySpreadConstraint), {
      keys: { topologyKey: undefined, whenUnsatisfiable: undefined },
    }).exactOptional(),
    schedulingGates: list(schedulingGate, { keys: BY_NAME }).exactOptional(),
    schedulingGroup: z.strictObject({ podGroupName: text }).exactOptional(),
    imagePullSecrets: list(localObjectReference, { keys: { name: '' } }).exactOptional(),
    securityContext: podSecurityContext.exactOptional(),
    overhead: resourceList.exactOptional(),
    resources: resourceRequirements.exactOptional(),
    resourceClaims: list(
      z.strictObject({ name: z.string(), resourceClaimName: text, resourceClaimTemplateName: text }),
      {
        keys: BY_NAME,
      },
    ).exactOptional(),
    dnsConfig: z
      .strictObject({
        nameservers: texts,
        options: z.array(z.strictObject({ name: text, value: text })).exactOptional(),
        searches: texts,
      })
      .exactOptional(),
    dnsPolicy: text,
    enableServiceLinks: flag,
    hostAliases: list(z.strictObject({ hostnames: texts, ip: z.string() }), {
      keys: { ip: undefined },
    }).exactOptional(),
    hostIPC: flag,
    hostNetwork: flag,
    hostPID: flag,
    hostUsers: flag,
    os: named.exactOptional(),
    readinessGates: z.array(z.strictObject({ conditionType: z.string() })).exactOptional(),
    runtimeClassName: text,
    setHostnameAsFQDN: flag,
    shareProcessNamespace: flag,
  }),
) as z.ZodType<PodSpec>

/** What pods are made of. */
export const podTemplateSpec: z.ZodType<PodTemplateSpec> = z.lazy(() =>
  z.strictObject({
    metadata: embeddedMetadata.exactOptional(),
    spec: podSpec.exactOptional(),
  }),
)

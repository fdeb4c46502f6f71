import type { FieldSchema } from './field-schema.ts'

/**
 * Ownership inside pods and pod templates (sources: client-go 0.36 applyconfigurations, the CRDs of Trainer 2.3.0 and
 * JobSet 0.12.0).
 */

const ATOMIC: FieldSchema = { atomic: true }
const byName: Pick<FieldSchema, 'list'> = { list: ['name'] }
const SET: FieldSchema = { list: 'set' }

/** Metadata of any object or template. */
export const METADATA: FieldSchema = {
  fields: { finalizers: SET, ownerReferences: { list: ['uid'], items: ATOMIC } },
}

/** `valueFrom` of an environment variable and what looks like it. */
const VALUE_FROM: FieldSchema = {
  fields: {
    configMapKeyRef: ATOMIC,
    fieldRef: ATOMIC,
    fileKeyRef: ATOMIC,
    resourceFieldRef: ATOMIC,
    secretKeyRef: ATOMIC,
  },
}

/** A list of environment variables. */
export const ENV: FieldSchema = { ...byName, items: { fields: { valueFrom: VALUE_FROM } } }

/** Resources of a container. */
export const RESOURCES: FieldSchema = { fields: { claims: byName } }

const CONTAINERS: FieldSchema = {
  ...byName,
  items: {
    fields: {
      env: ENV,
      ports: { list: ['containerPort', 'protocol'], keyDefaults: { protocol: 'TCP' } },
      resources: RESOURCES,
      volumeDevices: { list: ['devicePath'] },
      volumeMounts: { list: ['mountPath'] },
    },
  },
}

const DOWNWARD_ITEMS: FieldSchema = { fields: { items: {} } }

const CLAIM_SPEC: FieldSchema = { fields: { dataSource: ATOMIC, selector: ATOMIC } }

const VOLUMES: FieldSchema = {
  ...byName,
  items: {
    fields: {
      downwardAPI: DOWNWARD_ITEMS,
      cephfs: { fields: { secretRef: ATOMIC } },
      cinder: { fields: { secretRef: ATOMIC } },
      csi: { fields: { nodePublishSecretRef: ATOMIC } },
      flexVolume: { fields: { secretRef: ATOMIC } },
      iscsi: { fields: { secretRef: ATOMIC } },
      rbd: { fields: { secretRef: ATOMIC } },
      scaleIO: { fields: { secretRef: ATOMIC } },
      storageos: { fields: { secretRef: ATOMIC } },
      ephemeral: {
        fields: {
          volumeClaimTemplate: {
            fields: { metadata: METADATA, spec: CLAIM_SPEC },
          },
        },
      },
    },
  },
}

const POD_SPEC_FIELDS: Readonly<Record<string, FieldSchema>> = {
  containers: CONTAINERS,
  initContainers: CONTAINERS,
  ephemeralContainers: CONTAINERS,
  volumes: VOLUMES,
  hostAliases: { list: ['ip'] },
  imagePullSecrets: { ...byName, items: ATOMIC },
  nodeSelector: ATOMIC,
  resourceClaims: byName,
  resources: RESOURCES,
  schedulingGates: byName,
  topologySpreadConstraints: {
    list: ['topologyKey', 'whenUnsatisfiable'],
    items: { fields: { labelSelector: ATOMIC } },
  },
  affinity: {
    fields: { nodeAffinity: { fields: { requiredDuringSchedulingIgnoredDuringExecution: ATOMIC } } },
  },
}

export const POD_SPEC: FieldSchema = { fields: POD_SPEC_FIELDS }

/** In custom resources a ConfigMap volume is owned as a whole, and inner metadata has no lists with keys. */
const EMBEDDED_VOLUMES: FieldSchema = {
  ...byName,
  items: {
    fields: {
      ...VOLUMES.items?.fields,
      configMap: ATOMIC,
      ephemeral: { fields: { volumeClaimTemplate: { fields: { spec: CLAIM_SPEC } } } },
    },
  },
}

export const EMBEDDED_POD_SPEC: FieldSchema = { fields: { ...POD_SPEC_FIELDS, volumes: EMBEDDED_VOLUMES } }

const PATCHED_CONTAINERS: FieldSchema = { ...byName, items: { fields: { env: ENV, volumeMounts: byName } } }

/** What a TrainJob can patch of a pod spec; mounts are told apart by their names there. */
export const PATCHED_POD_SPEC: FieldSchema = {
  fields: {
    affinity: POD_SPEC_FIELDS.affinity as FieldSchema,
    containers: PATCHED_CONTAINERS,
    initContainers: PATCHED_CONTAINERS,
    imagePullSecrets: POD_SPEC_FIELDS.imagePullSecrets as FieldSchema,
    schedulingGates: byName,
    volumes: EMBEDDED_VOLUMES,
  },
}

/** Spec of a Job around the given pod spec; `embedded` in a custom resource. */
export function jobSpecSchema(podSpec: FieldSchema, embedded: boolean = false): FieldSchema {
  return {
    fields: {
      selector: ATOMIC,
      template: { fields: { ...(!embedded && { metadata: METADATA }), spec: podSpec } },
      podFailurePolicy: {
        fields: { rules: { items: { fields: { onExitCodes: { fields: { values: SET } } } } } },
      },
    },
  }
}

/** Status of a pod. */
export const POD_STATUS: FieldSchema = {
  fields: {
    conditions: { list: ['type'] },
    hostIPs: {},
    podIPs: { list: ['ip'] },
    resourceClaimStatuses: byName,
    resources: RESOURCES,
  },
}

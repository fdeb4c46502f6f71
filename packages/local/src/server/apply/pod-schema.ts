import type { FieldSchema } from './field-schema.ts'

/**
 * Ownership inside pods and pod templates (sources: client-go 0.36 applyconfigurations, the CRDs of Trainer 2.3.0 and
 * JobSet 0.12.0).
 */

const ATOMIC: FieldSchema = { atomic: true }
const byName: Pick<FieldSchema, 'list'> = { list: ['name'] }
const SET: FieldSchema = { list: 'set' }

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
          volumeClaimTemplate: { fields: { spec: { fields: { dataSource: ATOMIC, selector: ATOMIC } } } },
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

/** In custom resources a ConfigMap volume is owned as a whole. */
export const EMBEDDED_POD_SPEC: FieldSchema = {
  fields: {
    ...POD_SPEC_FIELDS,
    volumes: { ...VOLUMES, items: { fields: { ...VOLUMES.items?.fields, configMap: ATOMIC } } },
  },
}

/** Metadata of any object or template. */
export const METADATA: FieldSchema = {
  fields: { finalizers: SET, ownerReferences: { list: ['uid'], items: ATOMIC } },
}

/** Spec of a Job around the given pod spec. */
export function jobSpecSchema(podSpec: FieldSchema): FieldSchema {
  return {
    fields: {
      selector: ATOMIC,
      template: { fields: { metadata: METADATA, spec: podSpec } },
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
  },
}

import { z } from 'zod'
import type { Volume } from '../kubernetes/pod.ts'
import { embeddedMetadata } from './metadata.ts'
import { quantity } from './quantity.ts'
import { localObjectReference, objectFieldSelector, REFERENCE_RULES, resourceFieldSelector } from './reference.ts'
import { labelSelector } from './selector.ts'
import { withServerRules } from './server-rules.ts'
import { flag, int, int32, text, textMap, texts } from './simple-fields.ts'
import { persistentVolumeClaimSpec } from './volume-claim.ts'

/** A volume of a pod, with every source that Kubernetes 1.36 knows. */
export const volume: z.ZodType<Volume> = z.lazy(() =>
  z.strictObject({ name: z.string(), ...everyday(), ...remote(), ...retired() }),
) as z.ZodType<Volume>

function shapes() {
  const items = z.array(z.strictObject({ key: z.string(), path: z.string(), mode: int32 })).exactOptional()
  const downward = z
    .array(
      z.strictObject({
        path: z.string(),
        mode: int32,
        fieldRef: objectFieldSelector.exactOptional(),
        resourceFieldRef: resourceFieldSelector.exactOptional(),
      }),
    )
    .exactOptional()
  return { items, downward, secretRef: localObjectReference }
}

function everyday() {
  const { items, downward } = shapes()
  return {
    emptyDir: z.strictObject({ medium: text, sizeLimit: quantity.exactOptional() }).exactOptional(),
    configMap: withServerRules(
      z.strictObject({ name: text, items, defaultMode: int32, optional: flag }),
      REFERENCE_RULES,
    ).exactOptional(),
    secret: z.strictObject({ secretName: text, items, defaultMode: int32, optional: flag }).exactOptional(),
    hostPath: z.strictObject({ path: z.string(), type: text }).exactOptional(),
    persistentVolumeClaim: z.strictObject({ claimName: z.string(), readOnly: flag }).exactOptional(),
    nfs: z.strictObject({ path: z.string(), server: z.string(), readOnly: flag }).exactOptional(),
    image: z.strictObject({ pullPolicy: text, reference: text }).exactOptional(),
    downwardAPI: z.strictObject({ defaultMode: int32, items: downward }).exactOptional(),
    projected: z.lazy(projected).exactOptional(),
    ephemeral: z
      .strictObject({
        volumeClaimTemplate: z
          .strictObject({ metadata: embeddedMetadata.exactOptional(), spec: persistentVolumeClaimSpec })
          .exactOptional(),
      })
      .exactOptional(),
  }
}

function projected() {
  const { items, downward } = shapes()
  const source = z.strictObject({
    clusterTrustBundle: z
      .strictObject({
        labelSelector: labelSelector.exactOptional(),
        name: text,
        optional: flag,
        path: z.string(),
        signerName: text,
      })
      .exactOptional(),
    configMap: withServerRules(z.strictObject({ name: text, items, optional: flag }), REFERENCE_RULES).exactOptional(),
    downwardAPI: z.strictObject({ items: downward }).exactOptional(),
    podCertificate: z
      .strictObject({
        certificateChainPath: text,
        credentialBundlePath: text,
        keyPath: text,
        keyType: z.string(),
        maxExpirationSeconds: int32,
        signerName: z.string(),
        userAnnotations: textMap,
      })
      .exactOptional(),
    secret: withServerRules(z.strictObject({ name: text, items, optional: flag }), REFERENCE_RULES).exactOptional(),
    serviceAccountToken: z.strictObject({ audience: text, expirationSeconds: int, path: z.string() }).exactOptional(),
  })
  return z.strictObject({ defaultMode: int32, sources: z.array(source).exactOptional() })
}

function remote() {
  const { secretRef } = shapes()
  const fsType = text
  return {
    csi: z
      .strictObject({
        driver: z.string(),
        fsType,
        nodePublishSecretRef: secretRef.exactOptional(),
        readOnly: flag,
        volumeAttributes: textMap,
      })
      .exactOptional(),
    awsElasticBlockStore: z
      .strictObject({ fsType, partition: int32, readOnly: flag, volumeID: z.string() })
      .exactOptional(),
    azureDisk: withServerRules(
      z.strictObject({
        cachingMode: text,
        diskName: z.string(),
        diskURI: z.string(),
        fsType,
        kind: text,
        readOnly: flag,
      }),
      { defaults: { fsType: 'ext4', readOnly: false } },
    ).exactOptional(),
    azureFile: z.strictObject({ readOnly: flag, secretName: z.string(), shareName: z.string() }).exactOptional(),
    gcePersistentDisk: z.strictObject({ fsType, partition: int32, pdName: z.string(), readOnly: flag }).exactOptional(),
    cinder: z
      .strictObject({ fsType, readOnly: flag, secretRef: secretRef.exactOptional(), volumeID: z.string() })
      .exactOptional(),
    fc: z
      .strictObject({
        fsType,
        lun: int32,
        readOnly: flag,
        targetWWNs: texts,
        wwids: texts,
      })
      .exactOptional(),
    iscsi: withServerRules(
      z.strictObject({
        chapAuthDiscovery: flag,
        chapAuthSession: flag,
        fsType,
        initiatorName: text,
        iqn: z.string(),
        iscsiInterface: text,
        lun: z.int32(),
        portals: texts,
        readOnly: flag,
        secretRef: secretRef.exactOptional(),
        targetPortal: z.string(),
      }),
      { defaults: { iscsiInterface: 'default' } },
    ).exactOptional(),
    portworxVolume: z.strictObject({ fsType, readOnly: flag, volumeID: z.string() }).exactOptional(),
    vsphereVolume: z
      .strictObject({ fsType, storagePolicyID: text, storagePolicyName: text, volumePath: z.string() })
      .exactOptional(),
    rbd: withServerRules(
      z.strictObject({
        fsType,
        image: z.string(),
        keyring: text,
        monitors: z.array(z.string()),
        pool: text,
        readOnly: flag,
        secretRef: secretRef.exactOptional(),
        user: text,
      }),
      { defaults: { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' } },
    ).exactOptional(),
    cephfs: z
      .strictObject({
        monitors: z.array(z.string()),
        path: text,
        readOnly: flag,
        secretFile: text,
        secretRef: secretRef.exactOptional(),
        user: text,
      })
      .exactOptional(),
    scaleIO: withServerRules(
      z.strictObject({
        fsType,
        gateway: z.string(),
        protectionDomain: text,
        readOnly: flag,
        secretRef,
        sslEnabled: flag,
        storageMode: text,
        storagePool: text,
        system: z.string(),
        volumeName: text,
      }),
      { defaults: { fsType: 'xfs', storageMode: 'ThinProvisioned' } },
    ).exactOptional(),
  }
}

/** Still in the API, no longer served by any Kubernetes. */
function retired() {
  const { secretRef } = shapes()
  return {
    flexVolume: z
      .strictObject({
        driver: z.string(),
        fsType: text,
        options: textMap,
        readOnly: flag,
        secretRef: secretRef.exactOptional(),
      })
      .exactOptional(),
    flocker: z.strictObject({ datasetName: text, datasetUUID: text }).exactOptional(),
    gitRepo: z.strictObject({ directory: text, repository: z.string(), revision: text }).exactOptional(),
    glusterfs: z.strictObject({ endpoints: z.string(), path: z.string(), readOnly: flag }).exactOptional(),
    photonPersistentDisk: z.strictObject({ fsType: text, pdID: z.string() }).exactOptional(),
    quobyte: z
      .strictObject({
        group: text,
        readOnly: flag,
        registry: z.string(),
        tenant: text,
        user: text,
        volume: z.string(),
      })
      .exactOptional(),
    storageos: z
      .strictObject({
        fsType: text,
        readOnly: flag,
        secretRef: secretRef.exactOptional(),
        volumeName: text,
        volumeNamespace: text,
      })
      .exactOptional(),
  }
}

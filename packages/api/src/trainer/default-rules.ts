/** Values that a server puts where a field is left out, laid out like the object they belong to. */
export interface DefaultRules {
  /** Set on the object when the field is missing or null. */
  readonly set?: Readonly<Record<string, string | number | boolean>>
  /** Rules of fields that are there. */
  readonly fields?: Readonly<Record<string, DefaultRules>>
  /** Rules of each item of a list. */
  readonly each?: DefaultRules
}

/*
 * Every `default:` of upstream's CRDs. Source: kubeflow/trainer v2.3.0, manifests/base/crds.
 */

const reference: DefaultRules = { set: { name: '' } }
const withSecretRef: DefaultRules = { fields: { secretRef: reference } }

const envList: DefaultRules = {
  each: {
    fields: {
      valueFrom: {
        fields: { configMapKeyRef: reference, secretKeyRef: reference, fileKeyRef: { set: { optional: false } } },
      },
    },
  },
}

const volumes: DefaultRules = {
  each: {
    fields: {
      azureDisk: { set: { fsType: 'ext4', readOnly: false } },
      cephfs: withSecretRef,
      cinder: withSecretRef,
      configMap: reference,
      csi: { fields: { nodePublishSecretRef: reference } },
      flexVolume: withSecretRef,
      iscsi: { set: { iscsiInterface: 'default' }, ...withSecretRef },
      projected: { fields: { sources: { each: { fields: { configMap: reference, secret: reference } } } } },
      rbd: { set: { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' }, ...withSecretRef },
      scaleIO: { set: { fsType: 'xfs', storageMode: 'ThinProvisioned' }, ...withSecretRef },
      storageos: withSecretRef,
    },
  },
}

const probe: DefaultRules = { fields: { grpc: { set: { service: '' } } } }

const containers: DefaultRules = {
  each: {
    fields: {
      env: envList,
      envFrom: { each: { fields: { configMapRef: reference, secretRef: reference } } },
      livenessProbe: probe,
      readinessProbe: probe,
      startupProbe: probe,
      ports: { each: { set: { protocol: 'TCP' } } },
    },
  },
}

const podSpec: DefaultRules = {
  fields: {
    containers,
    initContainers: containers,
    ephemeralContainers: containers,
    imagePullSecrets: { each: reference },
    volumes,
  },
}

const podSpecPatch: DefaultRules = {
  fields: {
    containers: { each: { fields: { env: envList } } },
    initContainers: { each: { fields: { env: envList } } },
    imagePullSecrets: { each: reference },
    volumes,
  },
}

/** Rules below `template.spec`, down to the pod. */
function below(pod: DefaultRules): DefaultRules {
  return { fields: { template: { fields: { spec: { fields: { template: { fields: { spec: pod } } } } } } } }
}

const initializer: DefaultRules = { fields: { env: envList, secretRef: reference } }

const runtimePatch: DefaultRules = {
  fields: {
    trainingRuntimeSpec: {
      fields: { template: { fields: { spec: { fields: { replicatedJobs: { each: below(podSpecPatch) } } } } } },
    },
  },
}

export const TRAINJOB_DEFAULTS: DefaultRules = {
  fields: {
    spec: {
      set: { suspend: false, managedBy: 'trainer.kubeflow.org/trainjob-controller' },
      fields: {
        runtimeRef: { set: { apiGroup: 'trainer.kubeflow.org', kind: 'ClusterTrainingRuntime' } },
        initializer: { fields: { dataset: initializer, model: initializer } },
        trainer: { fields: { env: envList } },
        runtimePatches: { each: runtimePatch },
      },
    },
  },
}

const jobSetSpec: DefaultRules = {
  fields: {
    failurePolicy: { set: { restartStrategy: 'Recreate' } },
    replicatedJobs: { each: { set: { replicas: 1, groupName: 'default' }, ...below(podSpec) } },
    volumeClaimPolicies: { each: { fields: { retentionPolicy: { set: { whenDeleted: 'Delete' } } } } },
  },
}

export const RUNTIME_DEFAULTS: DefaultRules = {
  fields: {
    spec: {
      fields: {
        mlPolicy: {
          fields: {
            mpi: {
              set: {
                numProcPerNode: 1,
                mpiImplementation: 'OpenMPI',
                sshAuthMountPath: '/root/.ssh',
                runLauncherAsNode: false,
              },
            },
            flux: { set: { numProcPerNode: 1 } },
          },
        },
        podGroupPolicy: {
          fields: {
            coscheduling: { set: { scheduleTimeoutSeconds: 60 } },
            volcano: { fields: { networkTopology: { set: { mode: 'hard', highestTierAllowed: 1 } } } },
          },
        },
        template: { fields: { spec: jobSetSpec } },
      },
    },
  },
}

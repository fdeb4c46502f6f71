/** Which fields may not change once they are set, laid out like the object they belong to. */
export interface UpdateRules {
  readonly immutable?: true
  readonly fields?: Readonly<Record<string, UpdateRules>>
  /** Rules of the items of a list; old and new items belong together when they have the same key. */
  readonly each?: { readonly key: string; readonly rules: UpdateRules }
}

/*
 * Every transition rule (`self == oldSelf`) of upstream's CRDs. Source: kubeflow/trainer v2.3.0, manifests/base/crds.
 */

const fixed: UpdateRules = { immutable: true }

const podSpecPatch: UpdateRules = {
  fields: {
    serviceAccountName: fixed,
    volumes: fixed,
    initContainers: fixed,
    containers: fixed,
    imagePullSecrets: fixed,
    securityContext: fixed,
    terminationGracePeriodSeconds: fixed,
  },
}

const replicatedJobPatch: UpdateRules = {
  fields: {
    template: { fields: { spec: { fields: { template: { fields: { spec: podSpecPatch } } } } } },
  },
}

const runtimePatch: UpdateRules = {
  fields: {
    trainingRuntimeSpec: {
      fields: {
        template: {
          fields: {
            spec: { fields: { replicatedJobs: { each: { key: 'name', rules: replicatedJobPatch } } } },
          },
        },
      },
    },
  },
}

export const TRAINJOB_UPDATE_RULES: UpdateRules = {
  fields: {
    spec: {
      fields: {
        runtimeRef: fixed,
        initializer: fixed,
        trainer: fixed,
        activeDeadlineSeconds: fixed,
        managedBy: fixed,
        runtimePatches: { each: { key: 'manager', rules: runtimePatch } },
      },
    },
  },
}

export const RUNTIME_UPDATE_RULES: UpdateRules = {
  fields: {
    spec: {
      fields: {
        template: {
          fields: {
            spec: {
              fields: {
                network: fixed,
                successPolicy: fixed,
                failurePolicy: fixed,
                startupPolicy: fixed,
                volumeClaimPolicies: fixed,
                replicatedJobs: { each: { key: 'name', rules: { fields: { dependsOn: fixed } } } },
              },
            },
          },
        },
      },
    },
  },
}

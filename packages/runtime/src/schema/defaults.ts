/**
 * Defaults that the API server writes into the template of a runtime before anyone reads it, by struct of `TYPE_TABLE`.
 * Source: kubeflow/trainer v2.3.0, manifests/base/crds (`default` below spec.template.spec).
 */
export const CRD_DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'jobset.ReplicatedJob': { groupName: 'default', replicas: 1 },
  'jobset.FailurePolicy': { restartStrategy: 'Recreate' },
  'jobset.VolumeRetentionPolicy': { whenDeleted: 'Delete' },
  'core.ContainerPort': { protocol: 'TCP' },
  'core.GRPCAction': { service: '' },
  'core.FileKeySelector': { optional: false },
  'core.ISCSIVolumeSource': { iscsiInterface: 'default' },
  'core.AzureDiskVolumeSource': { fsType: 'ext4', readOnly: false },
  'core.RBDVolumeSource': { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' },
  'core.ScaleIOVolumeSource': { fsType: 'xfs', storageMode: 'ThinProvisioned' },
}

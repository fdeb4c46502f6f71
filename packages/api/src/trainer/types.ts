/**
 * `trainer.kubeflow.org/v1alpha1` as of Kubeflow Trainer v2.3.0
 * (source: kubeflow/trainer, pkg/apis/trainer/v1alpha1).
 */
import type { JobSetSpec } from '../kubernetes/jobset.ts'
import type { Condition, KubernetesObject, ObjectMeta, ResourceType } from '../kubernetes/meta.ts'
import type { EnvVar, PodSpec, ResourceRequirements, VolumeMount } from '../kubernetes/pod.ts'

export const TRAINER_GROUP = 'trainer.kubeflow.org'
export const TRAINER_VERSION = 'v1alpha1'
export const TRAINER_API_VERSION = 'trainer.kubeflow.org/v1alpha1'

export interface TrainJob extends KubernetesObject {
  spec: TrainJobSpec
  status?: TrainJobStatus
}

export interface TrainJobSpec {
  runtimeRef: RuntimeRef
  initializer?: Initializer
  trainer?: Trainer
  runtimePatches?: RuntimePatch[]
  suspend?: boolean
  activeDeadlineSeconds?: number
  managedBy?: string
}

export interface RuntimeRef {
  name: string
  apiGroup?: string
  kind?: string
}

export interface Initializer {
  dataset?: AssetInitializer
  model?: AssetInitializer
}

/** Upstream's `DatasetInitializer` and `ModelInitializer`, which are the same. */
export interface AssetInitializer {
  storageUri?: string
  env?: EnvVar[]
  secretRef?: { name: string }
}

export interface Trainer {
  image?: string
  command?: string[]
  args?: string[]
  env?: EnvVar[]
  numNodes?: number
  resourcesPerNode?: ResourceRequirements
  numProcPerNode?: number
}

export interface RuntimePatch {
  manager: string
  time?: string
  trainingRuntimeSpec?: { template?: { metadata?: ObjectMeta; spec?: JobSetSpecPatch } }
}

export interface JobSetSpecPatch {
  replicatedJobs?: ReplicatedJobPatch[]
}

export interface ReplicatedJobPatch {
  name: string
  template?: {
    metadata?: ObjectMeta
    spec?: { template?: { metadata?: ObjectMeta; spec?: PodSpecPatch } }
  }
}

/** The pod fields that a patch may set. */
export interface PodSpecPatch
  extends Pick<
    PodSpec,
    | 'serviceAccountName'
    | 'volumes'
    | 'imagePullSecrets'
    | 'securityContext'
    | 'nodeSelector'
    | 'affinity'
    | 'tolerations'
    | 'schedulingGates'
    | 'terminationGracePeriodSeconds'
  > {
  containers?: ContainerPatch[]
  initContainers?: ContainerPatch[]
}

export interface ContainerPatch {
  name: string
  env?: EnvVar[]
  volumeMounts?: VolumeMount[]
  securityContext?: Record<string, unknown>
}

export interface TrainJobStatus {
  conditions?: Condition[]
  jobsStatus?: TrainJobJobStatus[]
  trainerStatus?: TrainerStatus
}

export interface TrainJobJobStatus {
  name: string
  ready: number
  succeeded: number
  failed: number
  active: number
  suspended: number
}

export interface TrainerStatus {
  progressPercentage?: number
  estimatedRemainingSeconds?: number
  metrics?: { name: string; value: string }[]
  lastUpdatedTime?: string
}

export interface TrainingRuntimeSpec {
  mlPolicy?: MLPolicy
  podGroupPolicy?: PodGroupPolicy
  template?: { metadata?: ObjectMeta; spec?: JobSetSpec }
}

export interface TrainingRuntime extends KubernetesObject {
  kind: 'TrainingRuntime'
  spec: TrainingRuntimeSpec
}

export interface ClusterTrainingRuntime extends KubernetesObject {
  kind: 'ClusterTrainingRuntime'
  spec: TrainingRuntimeSpec
}

/** Either kind of runtime. */
export type AnyTrainingRuntime = TrainingRuntime | ClusterTrainingRuntime

/** `numNodes` and at most one of the policies. */
export interface MLPolicy {
  numNodes?: number
  torch?: { envInjection?: EnvInjection }
  mpi?: MPIPolicy
  jax?: Record<string, never>
  xgboost?: Record<string, never>
  flux?: { numProcPerNode?: number }
}

export interface EnvInjection {
  targets?: { jobName: string; containerNames: string[] }[]
}

export interface MPIPolicy {
  numProcPerNode?: number
  mpiImplementation?: 'OpenMPI' | ''
  sshAuthMountPath?: string
  runLauncherAsNode?: boolean
}

/** At most one of the two. */
export interface PodGroupPolicy {
  coscheduling?: { scheduleTimeoutSeconds?: number }
  volcano?: { networkTopology?: { mode?: 'hard' | 'soft'; highestTierAllowed?: number } }
}

export const TrainJobs: ResourceType<TrainJob> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'trainjobs',
  kind: 'TrainJob',
  namespaced: true,
}
export const TrainingRuntimes: ResourceType<TrainingRuntime> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'trainingruntimes',
  kind: 'TrainingRuntime',
  namespaced: true,
}
export const ClusterTrainingRuntimes: ResourceType<ClusterTrainingRuntime> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'clustertrainingruntimes',
  kind: 'ClusterTrainingRuntime',
  namespaced: false,
}

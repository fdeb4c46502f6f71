/**
 * `trainer.kubeflow.org/v1alpha1` as of Kubeflow Trainer v2.3.0
 * (source: kubeflow/trainer, pkg/apis/trainer/v1alpha1).
 */
import type { JobSetSpec } from '../kubernetes/jobset.ts'
import type { Condition, KubernetesObject, ObjectMeta, ResourceType } from '../kubernetes/meta.ts'
import type { EnvVar, PodSpec, ResourceRequirements, VolumeMount } from '../kubernetes/pod.ts'

/** API group of TrainJobs and runtimes. */
export const TRAINER_GROUP = 'trainer.kubeflow.org'
/** The version of that group that is spoken here. */
export const TRAINER_VERSION = 'v1alpha1'
/** `apiVersion` of a TrainJob or runtime. */
export const TRAINER_API_VERSION = 'trainer.kubeflow.org/v1alpha1'

/** A training job: which runtime it runs on, and what it sets there. */
export interface TrainJob extends KubernetesObject {
  spec: TrainJobSpec
  status?: TrainJobStatus
}

/** What a user asks for. What is left out is as the runtime has it. */
export interface TrainJobSpec {
  /** Immutable, as are `trainer` and `initializer`. */
  runtimeRef: RuntimeRef
  initializer?: Initializer
  trainer?: Trainer
  /** At most 16, each of another manager. They may change only while the job is suspended. */
  runtimePatches?: RuntimePatch[]
  /** `false` when left out. */
  suspend?: boolean
  /** Seconds from the start, or from the last resume, until the job fails with `DeadlineExceeded`. Immutable. */
  activeDeadlineSeconds?: number
  /** `MANAGED_BY_TRAINER` when left out, else `MANAGED_BY_MULTIKUEUE`. Immutable. */
  managedBy?: string
}

/** Names the runtime of a job. */
export interface RuntimeRef {
  name: string
  /** `trainer.kubeflow.org` when left out. */
  apiGroup?: string
  /** `ClusterTrainingRuntime` when left out; a `TrainingRuntime` is looked for in the namespace of the job. */
  kind?: string
}

/** What is fetched before training; each part needs a job template of its kind in the runtime. */
export interface Initializer {
  dataset?: AssetInitializer
  model?: AssetInitializer
}

/** Upstream's `DatasetInitializer` and `ModelInitializer`, which are the same. */
export interface AssetInitializer {
  /** `s3://bucket/path`, `hf://owner/name`; at most 2048 characters. */
  storageUri?: string
  /** Merged by name into what the runtime has. */
  env?: EnvVar[]
  /** A Secret of the job's namespace; each of its keys becomes a variable. */
  secretRef?: { name: string }
}

/** What a job sets on the container that trains. */
export interface Trainer {
  image?: string
  /** Replaces the command of the runtime as a whole, as `args` does its arguments. */
  command?: string[]
  args?: string[]
  /** Merged by name into what the runtime has. */
  env?: EnvVar[]
  numNodes?: number
  resourcesPerNode?: ResourceRequirements
  /** Processes, workers or slots of each node. */
  numProcPerNode?: number
}

/** What one manager changes in the runtime of one TrainJob. */
export interface RuntimePatch {
  /** Who wrote it, for example `kueue.x-k8s.io/manager`; no two patches have the same. */
  manager: string
  /** RFC 3339; set at admission. */
  time?: string
  trainingRuntimeSpec?: { template?: { metadata?: ObjectMeta; spec?: JobSetSpecPatch } }
}

/** Patches of replicated jobs, found by name. */
export interface JobSetSpecPatch {
  replicatedJobs?: ReplicatedJobPatch[]
}

/** Of `metadata`, only labels and annotations may be set. */
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

/** A container of the runtime, found by name. `env` is refused for `node` and the initializers: the job has fields for it. */
export interface ContainerPatch {
  name: string
  env?: EnvVar[]
  volumeMounts?: VolumeMount[]
  securityContext?: Record<string, unknown>
}

/** What the controller, and the training code, say about a job. */
export interface TrainJobStatus {
  conditions?: Condition[]
  jobsStatus?: TrainJobJobStatus[]
  trainerStatus?: TrainerStatus
}

/** Counts of the Jobs that one replicated job stands for; upstream's `JobStatus`. */
export interface TrainJobJobStatus {
  /** Of the replicated job. */
  name: string
  ready: number
  succeeded: number
  failed: number
  active: number
  suspended: number
}

/** What the training code reports about itself. Behind the feature gate `TrainJobStatus` in upstream. */
export interface TrainerStatus {
  /** 0 to 100. */
  progressPercentage?: number
  estimatedRemainingSeconds?: number
  /** Values are texts. */
  metrics?: { name: string; value: string }[]
  /** RFC 3339. */
  lastUpdatedTime?: string
}

/** What both kinds of runtime say: a JobSet, and what frameworks and schedulers need to know. */
export interface TrainingRuntimeSpec {
  mlPolicy?: MLPolicy
  podGroupPolicy?: PodGroupPolicy
  template?: { metadata?: ObjectMeta; spec?: JobSetSpec }
}

/** A runtime for the TrainJobs of its namespace. */
export interface TrainingRuntime extends KubernetesObject {
  kind: 'TrainingRuntime'
  spec: TrainingRuntimeSpec
}

/** A runtime for the TrainJobs of all namespaces. */
export interface ClusterTrainingRuntime extends KubernetesObject {
  kind: 'ClusterTrainingRuntime'
  spec: TrainingRuntimeSpec
}

/** Either kind of runtime. */
export type AnyTrainingRuntime = TrainingRuntime | ClusterTrainingRuntime

/** `numNodes` and at most one of the policies. */
export interface MLPolicy {
  /** 1 when left out. */
  numNodes?: number
  torch?: { envInjection?: EnvInjection }
  mpi?: MPIPolicy
  jax?: Record<string, never>
  xgboost?: Record<string, never>
  flux?: { numProcPerNode?: number }
}

/** Containers that get the `PET_…` variables besides `node`. */
export interface EnvInjection {
  targets?: { jobName: string; containerNames: string[] }[]
}

/** How a launcher starts the processes of all nodes. */
export interface MPIPolicy {
  /** Slots of each node in the hostfile, 1 when left out. */
  numProcPerNode?: number
  /** `OpenMPI` when left out. */
  mpiImplementation?: 'OpenMPI' | ''
  /** `/root/.ssh` when left out. */
  sshAuthMountPath?: string
  /** The launcher trains, too; `false` when left out. */
  runLauncherAsNode?: boolean
}

/** At most one of the two. */
export interface PodGroupPolicy {
  /** 60 seconds when left out. */
  coscheduling?: { scheduleTimeoutSeconds?: number }
  volcano?: { networkTopology?: { mode?: 'hard' | 'soft'; highestTierAllowed?: number } }
}

/** Where TrainJobs are served. */
export const TrainJobs: ResourceType<TrainJob> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'trainjobs',
  kind: 'TrainJob',
  namespaced: true,
}
/** Where TrainingRuntimes are served. */
export const TrainingRuntimes: ResourceType<TrainingRuntime> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'trainingruntimes',
  kind: 'TrainingRuntime',
  namespaced: true,
}
/** Where ClusterTrainingRuntimes are served. */
export const ClusterTrainingRuntimes: ResourceType<ClusterTrainingRuntime> = {
  group: TRAINER_GROUP,
  version: TRAINER_VERSION,
  plural: 'clustertrainingruntimes',
  kind: 'ClusterTrainingRuntime',
  namespaced: false,
}

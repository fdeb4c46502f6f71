import type { KubernetesObject, ObjectMeta } from './meta.ts'

/**
 * The parts of a pod that this project reads or writes. A pod may carry every field Kubernetes knows: those not named
 * here are kept as they are, which is what the index signatures say.
 */
export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  volumes?: Volume[]
  restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  nodeName?: string
  nodeSelector?: Record<string, string>
  hostname?: string
  subdomain?: string
  serviceAccountName?: string
  schedulerName?: string
  priorityClassName?: string
  tolerations?: Record<string, unknown>[]
  affinity?: Record<string, unknown>
  schedulingGates?: { name: string }[]
  imagePullSecrets?: { name?: string }[]
  securityContext?: Record<string, unknown>
  overhead?: ResourceList
  [field: string]: unknown
}

/** A container of a pod. Fields not named here are kept. */
export interface Container {
  name: string
  image?: string
  command?: string[]
  args?: string[]
  workingDir?: string
  env?: EnvVar[]
  envFrom?: EnvFromSource[]
  ports?: ContainerPort[]
  resources?: ResourceRequirements
  volumeMounts?: VolumeMount[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: Lifecycle
  /** `/dev/termination-log` when left out. */
  terminationMessagePath?: string
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError'
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  stdin?: boolean
  tty?: boolean
  /** Only on init containers: `Always` makes it a sidecar. */
  restartPolicy?: string
  [field: string]: unknown
}

/** `value` or `valueFrom`; with neither, the empty text. */
export interface EnvVar {
  name: string
  value?: string
  valueFrom?: EnvVarSource
}

/** Exactly one of its fields. */
export interface EnvVarSource {
  fieldRef?: { apiVersion?: string; fieldPath: string }
  resourceFieldRef?: { containerName?: string; resource: string; divisor?: Quantity }
  configMapKeyRef?: { name: string; key: string; optional?: boolean }
  secretKeyRef?: { name: string; key: string; optional?: boolean }
  fileKeyRef?: { volumeName: string; path: string; key: string; optional?: boolean }
  [field: string]: unknown
}

/** All keys of a ConfigMap or Secret as variables. */
export interface EnvFromSource {
  prefix?: string
  configMapRef?: { name: string; optional?: boolean }
  secretRef?: { name: string; optional?: boolean }
}

/** A port that a container listens on. `protocol` is `TCP` when left out. */
export interface ContainerPort {
  name?: string
  containerPort: number
  hostPort?: number
  hostIP?: string
  protocol?: string
}

/** A quantity as written: `500m`, `16Gi`, `2`, or a bare number. Read it with `parseQuantity`. */
export type Quantity = string | number

/** Amounts by the name of the resource: `cpu`, `memory`, `nvidia.com/gpu`. */
export type ResourceList = Record<string, Quantity>

/** What a container asks for (`requests`) and may use (`limits`). */
export interface ResourceRequirements {
  limits?: ResourceList
  requests?: ResourceList
  claims?: { name: string; request?: string }[]
}

/** A name and exactly one source. Sources not named here are kept. */
export interface Volume {
  name: string
  emptyDir?: { medium?: string; sizeLimit?: Quantity }
  configMap?: { name: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean }
  secret?: { secretName: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean }
  hostPath?: { path: string; type?: string }
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean }
  projected?: { sources?: VolumeProjection[]; defaultMode?: number }
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number }
  [source: string]: unknown
}

/** One of the sources of a projected volume. */
export interface VolumeProjection {
  configMap?: { name: string; items?: KeyToPath[]; optional?: boolean }
  secret?: { name: string; items?: KeyToPath[]; optional?: boolean }
  downwardAPI?: { items?: DownwardFile[] }
  serviceAccountToken?: { path: string; audience?: string; expirationSeconds?: number }
  [source: string]: unknown
}

/** A file that says something about the pod. */
export interface DownwardFile {
  path: string
  fieldRef?: { apiVersion?: string; fieldPath: string }
  resourceFieldRef?: { containerName?: string; resource: string; divisor?: Quantity }
  mode?: number
}

/** One key of a ConfigMap or Secret as a file. `mode` holds permission bits. */
export interface KeyToPath {
  key: string
  path: string
  mode?: number
}

/** Where a container sees a volume. */
export interface VolumeMount {
  name: string
  mountPath: string
  subPath?: string
  readOnly?: boolean
  [field: string]: unknown
}

/** What happens right after a container has started and before it is asked to end. */
export interface Lifecycle {
  postStart?: LifecycleHandler
  preStop?: LifecycleHandler
  [field: string]: unknown
}

/** What a node runs at a moment of a container's life; exactly one of its fields. */
export interface LifecycleHandler extends Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket'> {
  sleep?: { seconds: number }
}

/** How to find out whether a container works; times are seconds. */
export interface Probe {
  exec?: { command?: string[] }
  httpGet?: {
    path?: string
    port: number | string
    host?: string
    scheme?: string
    httpHeaders?: { name: string; value: string }[]
  }
  tcpSocket?: { port: number | string; host?: string }
  initialDelaySeconds?: number
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
  /** Replaces the pod's grace period when a startup or liveness probe ends the container. */
  terminationGracePeriodSeconds?: number
  [field: string]: unknown
}

/** What pods are made of. */
export interface PodTemplateSpec {
  metadata?: ObjectMeta
  spec?: PodSpec
}

/** `v1` Pod. */
export interface Pod extends KubernetesObject {
  spec: PodSpec
  status?: PodStatus
}

/** What the node says about a pod. Times are RFC 3339. */
export interface PodStatus {
  phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  conditions?: PodCondition[]
  message?: string
  reason?: string
  hostIP?: string
  podIP?: string
  podIPs?: { ip: string }[]
  startTime?: string
  initContainerStatuses?: ContainerStatus[]
  containerStatuses?: ContainerStatus[]
  qosClass?: string
  observedGeneration?: number
}

/** Unlike `Condition`, with optional reason and times. */
export interface PodCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  lastProbeTime?: string | null
  observedGeneration?: number
}

/** What the node says about one container; `lastState` is the attempt before. */
export interface ContainerStatus {
  name: string
  ready: boolean
  started?: boolean
  restartCount: number
  image: string
  imageID: string
  containerID?: string
  state?: ContainerState
  lastState?: ContainerState
}

/** Exactly one of its fields. */
export interface ContainerState {
  waiting?: { reason?: string; message?: string }
  running?: { startedAt?: string }
  terminated?: {
    exitCode: number
    signal?: number
    reason?: string
    message?: string
    startedAt?: string
    finishedAt?: string
    containerID?: string
  }
}

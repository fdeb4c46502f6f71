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
  /** Only on init containers: `Always` makes it a sidecar. */
  restartPolicy?: string
  [field: string]: unknown
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: EnvVarSource
}

export interface EnvVarSource {
  fieldRef?: { apiVersion?: string; fieldPath: string }
  resourceFieldRef?: { containerName?: string; resource: string; divisor?: Quantity }
  configMapKeyRef?: { name: string; key: string; optional?: boolean }
  secretKeyRef?: { name: string; key: string; optional?: boolean }
  fileKeyRef?: { volumeName: string; path: string; key: string; optional?: boolean }
  [field: string]: unknown
}

export interface EnvFromSource {
  prefix?: string
  configMapRef?: { name: string; optional?: boolean }
  secretRef?: { name: string; optional?: boolean }
}

export interface ContainerPort {
  name?: string
  containerPort: number
  hostPort?: number
  hostIP?: string
  protocol?: string
}

/** A quantity as written: `500m`, `16Gi`, `2`, or a bare number. Read it with `parseQuantity`. */
export type Quantity = string | number

export type ResourceList = Record<string, Quantity>

export interface ResourceRequirements {
  limits?: ResourceList
  requests?: ResourceList
  claims?: { name: string; request?: string }[]
}

export interface Volume {
  name: string
  emptyDir?: { medium?: string; sizeLimit?: Quantity }
  configMap?: { name: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean }
  secret?: { secretName: string; items?: KeyToPath[]; defaultMode?: number; optional?: boolean }
  hostPath?: { path: string; type?: string }
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean }
  [source: string]: unknown
}

export interface KeyToPath {
  key: string
  path: string
  mode?: number
}

export interface VolumeMount {
  name: string
  mountPath: string
  subPath?: string
  readOnly?: boolean
  [field: string]: unknown
}

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
  [field: string]: unknown
}

export interface PodTemplateSpec {
  metadata?: ObjectMeta
  spec?: PodSpec
}

export interface Pod extends KubernetesObject {
  spec: PodSpec
  status?: PodStatus
}

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

export interface PodCondition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  lastProbeTime?: string | null
  observedGeneration?: number
}

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

import type { KubernetesObject } from './meta.ts'

/** `v1` ConfigMap. */
export interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>
  /** Base64. */
  binaryData?: Record<string, string>
  immutable?: boolean
}

/** `v1` Secret. */
export interface Secret extends KubernetesObject {
  type?: string
  /** Base64. */
  data?: Record<string, string>
  stringData?: Record<string, string>
  immutable?: boolean
}

/** `v1` Service. */
export interface Service extends KubernetesObject {
  spec: {
    clusterIP?: string
    selector?: Record<string, string>
    publishNotReadyAddresses?: boolean
    ports?: { name?: string; port: number; targetPort?: number | string; protocol?: string }[]
    [field: string]: unknown
  }
}

/** `v1` Namespace. */
export interface Namespace extends KubernetesObject {
  spec?: { finalizers?: string[] }
  status?: { phase?: 'Active' | 'Terminating' }
}

/** `v1` Node. */
export interface Node extends KubernetesObject {
  spec?: Record<string, unknown>
  status?: {
    capacity?: Record<string, string>
    allocatable?: Record<string, string>
    conditions?: {
      type: string
      status: string
      reason?: string
      message?: string
      lastHeartbeatTime?: string
      lastTransitionTime?: string
    }[]
    addresses?: { type: string; address: string }[]
    nodeInfo?: Record<string, string>
  }
}

/** The core/v1 Event: what `kubectl get events` shows. */
export interface Event extends KubernetesObject {
  involvedObject: {
    apiVersion?: string
    kind?: string
    namespace?: string
    name?: string
    uid?: string
    resourceVersion?: string
    fieldPath?: string
  }
  type?: 'Normal' | 'Warning'
  reason?: string
  message?: string
  count?: number
  firstTimestamp?: string
  lastTimestamp?: string
  eventTime?: string | null
  action?: string
  reportingComponent?: string
  reportingInstance?: string
  source?: { component?: string; host?: string }
}

/** Metadata that every Kubernetes object carries. Timestamps are RFC 3339 strings, as on the wire. */
export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: unknown[]
}

/** Says that an object goes when its owner goes. At most one owner is the `controller`. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** `metav1.Condition`. */
export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number
}

/** Any Kubernetes object. */
export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/**
 * Names a kind of object and where it is served; `T` exists only in types.
 * The same shape as `Resource` of `@trainjob/kube`, so either serves for the other.
 */
export interface ResourceType<T extends KubernetesObject> {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  readonly object?: T
}

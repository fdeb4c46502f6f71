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

/**
 * Any Kubernetes object as plain JSON. Objects that come out of a client, a store or a watch are shared:
 * copy before you change one.
 */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/** A list as servers answer it. `continue` asks for its next page. */
export interface KubeList<T> {
  apiVersion: string
  kind: string
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items: T[]
}

/** Body of every failure (`kind: Status`), see `ApiError`. */
export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: { continue?: string }
  status: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: {
    name?: string
    group?: string
    kind?: string
    uid?: string
    causes?: { reason?: string; message?: string; field?: string }[]
    retryAfterSeconds?: number
  }
  code?: number
}

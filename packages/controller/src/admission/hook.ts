import type { Issue, KubernetesObject, ResourceType } from '@trainjob/api'

/** What an API server asks before it stores an object; the shape of `admission.k8s.io/v1`, without its envelope. */
export interface AdmissionRequest<T extends KubernetesObject = KubernetesObject> {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly subresource?: string
  /** As it would be stored. On DELETE the object that goes. */
  readonly object: T
  readonly oldObject?: T
  readonly dryRun: boolean
}

/** What a hook objects to. An object with errors is not stored. */
export interface AdmissionVerdict {
  readonly errors: readonly Issue[]
  /** Sent as `Warning` headers. */
  readonly warnings: readonly string[]
}

/**
 * Defaulting and validation of one kind. The embedded API server calls it directly; the webhook server wraps it in
 * AdmissionReview. All `mutate` run before any `validate`. Neither changes its argument.
 */
export interface AdmissionHook<T extends KubernetesObject = KubernetesObject> {
  readonly resource: ResourceType<T>
  mutate?(request: AdmissionRequest<T>): Promise<T>
  validate?(request: AdmissionRequest<T>): Promise<AdmissionVerdict>
}

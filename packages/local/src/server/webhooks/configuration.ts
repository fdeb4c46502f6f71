import type { KubernetesObject, ResourceType } from '@trainjob/api'
import type { LabelSelector } from '../selectors/label-selector.ts'

/** Which writes a webhook wants to be asked about. */
export interface WebhookRule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  /** `pods`, `pods/status`, `pods/*`, `*`, or all with the status of all: star, slash, star. */
  readonly resources: readonly string[]
  readonly scope?: '*' | 'Cluster' | 'Namespaced'
}

/** A CEL expression that must hold for a webhook to be asked. */
export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/** One webhook of a configuration, with its defaults. */
export interface Webhook {
  readonly name: string
  readonly clientConfig: {
    readonly url?: string
    readonly service?: {
      readonly namespace: string
      readonly name: string
      readonly path?: string
      readonly port?: number
    }
    /** Base64 of PEM. */
    readonly caBundle?: string
  }
  readonly rules?: readonly WebhookRule[]
  readonly failurePolicy?: 'Fail' | 'Ignore'
  readonly matchPolicy?: 'Exact' | 'Equivalent'
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
  readonly sideEffects: string
  readonly timeoutSeconds?: number
  readonly admissionReviewVersions: readonly string[]
  readonly matchConditions?: readonly MatchCondition[]
  /** Mutating ones only. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
}

/** A `MutatingWebhookConfiguration` or `ValidatingWebhookConfiguration` (admissionregistration.k8s.io/v1). */
export interface WebhookConfiguration extends KubernetesObject {
  readonly webhooks?: readonly Webhook[]
}

/** Where configurations of webhooks that may change objects are served. */
export const MutatingWebhookConfigurations: ResourceType<WebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'mutatingwebhookconfigurations',
  kind: 'MutatingWebhookConfiguration',
  namespaced: false,
}

/** Where configurations of webhooks that may refuse objects are served. */
export const ValidatingWebhookConfigurations: ResourceType<WebhookConfiguration> = {
  ...MutatingWebhookConfigurations,
  plural: 'validatingwebhookconfigurations',
  kind: 'ValidatingWebhookConfiguration',
}

import type { KubernetesObject } from '@trainjob/api'
import type { AdmissionHook } from '../admission/hook.ts'
import type { AdmissionPhase } from './admission-review.ts'
import { webhookPath } from './webhook-path.ts'

/** Where the API server finds the webhooks. */
export interface WebhookTarget {
  /** A Service of the cluster, or the base of a URL such as `https://10.0.0.7:9443`. */
  readonly server: { readonly name: string; readonly namespace: string } | string
  /** PEM of the authority that signed the server's certificate; left out where something else fills it in. */
  readonly ca?: string
}

/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration of `admissionregistration.k8s.io/v1`. */
export interface WebhookConfiguration extends KubernetesObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1'
  readonly webhooks: readonly object[]
}

const KINDS = { mutate: 'MutatingWebhookConfiguration', validate: 'ValidatingWebhookConfiguration' } as const

/**
 * What tells an API server to ask the webhooks of `serveWebhooks`, on every creation and change of an object that a hook
 * is for.
 *
 * @example
 * const server = { name: 'trainjob-webhook', namespace: 'trainjob-system' }
 * webhookConfigurations(runtimeAdmission(), { server }).map(({ kind }) => kind)
 * // => ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']
 */
export function webhookConfigurations(
  hooks: readonly AdmissionHook[],
  target: WebhookTarget,
): readonly WebhookConfiguration[] {
  return (['mutate', 'validate'] as const).map((phase) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: KINDS[phase],
    metadata: { name: 'trainjob' },
    webhooks: hooks.filter((hook) => hook[phase] !== undefined).map((hook) => webhook(hook, phase, target)),
  }))
}

function webhook({ resource }: AdmissionHook, phase: AdmissionPhase, { server, ca }: WebhookTarget): object {
  const { plural, group, version, namespaced } = resource
  const path = webhookPath(phase, resource)
  return {
    name: `${phase}.${plural}.${group}`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    timeoutSeconds: 10,
    clientConfig: {
      ...(typeof server === 'string' ? { url: `${server}${path}` } : { service: { ...server, path } }),
      ...(ca !== undefined && { caBundle: Buffer.from(ca).toString('base64') }),
    },
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        resources: [plural],
        operations: ['CREATE', 'UPDATE'],
        scope: namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
  }
}

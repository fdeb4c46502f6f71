import type { JsonSchema } from '@trainjob/api/schema'
import type { StructuralSchema } from '../crd/structural-schema.ts'

const TEXT: StructuralSchema = { type: 'string' }
const TEXTS: StructuralSchema = { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'atomic' }

const LABEL_SELECTOR: StructuralSchema = {
  type: 'object',
  default: {},
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: { type: 'object', additionalProperties: TEXT },
    matchExpressions: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: { type: 'object', properties: { key: TEXT, operator: TEXT, values: TEXTS } },
    },
  },
}

const COMMON: Readonly<Record<string, StructuralSchema>> = {
  name: { type: 'string', description: 'A full name: the webhook, then a domain, as in check.example.com.' },
  clientConfig: {
    type: 'object',
    description: 'Where the webhook is called: by its url, or as a service of this cluster.',
    properties: {
      url: { type: 'string', description: 'As in https://127.0.0.1:9443/check.' },
      service: {
        type: 'object',
        description: 'A service of this cluster whose pods answer.',
        properties: {
          namespace: TEXT,
          name: TEXT,
          path: TEXT,
          port: { type: 'integer', format: 'int32', default: 443 },
        },
      },
      caBundle: { type: 'string', format: 'byte', description: 'Certificates to trust, as PEM.' },
    },
  },
  rules: {
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    description: 'Which writes it is asked about.',
    items: {
      type: 'object',
      properties: {
        operations: TEXTS,
        apiGroups: TEXTS,
        apiVersions: TEXTS,
        resources: TEXTS,
        scope: { type: 'string', default: '*' },
      },
    },
  },
  failurePolicy: {
    type: 'string',
    default: 'Fail',
    description: 'What happens to a write when the webhook cannot be asked: Fail or Ignore.',
  },
  matchPolicy: {
    type: 'string',
    default: 'Equivalent',
    description: 'Whether rules also match other versions of the same kind: Exact or Equivalent.',
  },
  namespaceSelector: { ...LABEL_SELECTOR, description: 'Labels of namespaces whose objects it is asked about.' },
  objectSelector: { ...LABEL_SELECTOR, description: 'Labels of objects that it is asked about.' },
  sideEffects: { type: 'string', description: 'None, or NoneOnDryRun.' },
  timeoutSeconds: { type: 'integer', format: 'int32', default: 10, description: 'From 1 to 30.' },
  admissionReviewVersions: { ...TEXTS, description: 'Versions of AdmissionReview that it reads, best first.' },
  matchConditions: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    description: 'Expressions in CEL that must hold for it to be asked.',
    items: { type: 'object', required: ['name'], properties: { name: TEXT, expression: TEXT } },
  },
}

function configuration(webhook: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return {
    type: 'object',
    properties: {
      webhooks: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-merge-key': 'name',
        'x-kubernetes-patch-strategy': 'merge',
        items: { type: 'object', required: ['name'], properties: webhook },
      },
    },
  }
}

/** What a `ValidatingWebhookConfiguration` holds, with its defaults. */
export const VALIDATING: StructuralSchema & JsonSchema = configuration(COMMON) as StructuralSchema & JsonSchema

/** What a `MutatingWebhookConfiguration` holds, with its defaults. */
export const MUTATING: StructuralSchema & JsonSchema = configuration({
  ...COMMON,
  reinvocationPolicy: {
    type: 'string',
    default: 'Never',
    description: 'Whether it is asked again when another webhook has changed the object since: Never or IfNeeded.',
  },
}) as StructuralSchema & JsonSchema

import type { KubeObject, Resource } from '@trainjob/kube'

/** Where widgets are served. */
export const Widgets: Resource<KubeObject> = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
}

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    even: { type: 'integer', multipleOf: 2 },
    ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
    color: { type: 'string', enum: ['red', 'green'], default: 'red' },
    code: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
    at: { type: 'string', format: 'date-time' },
    wait: { type: 'string', format: 'duration' },
    port: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string', nullable: true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
    tags: { type: 'array', maxItems: 3, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 10 } },
    choice: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    deep: {
      type: 'object',
      default: {},
      properties: { on: { type: 'boolean', default: true }, level: { type: 'integer', default: 3 } },
    },
    parts: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 10 },
          weight: {
            type: 'integer',
            default: 1,
            'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'weight may only grow' }],
          },
          unit: {
            type: 'string',
            maxLength: 10,
            'x-kubernetes-validations': [{ rule: "self in ['g', 'kg']", reason: 'FieldValueForbidden' }],
          },
        },
      },
    },
    memory: {
      type: 'string',
      maxLength: 20,
      'x-kubernetes-validations': [
        { rule: 'isQuantity(self)', message: 'must be a quantity' },
        {
          rule: "!isQuantity(self) || quantity(self).isLessThan(quantity('1Ti'))",
          messageExpression: "'too much: ' + self",
        },
      ],
    },
  },
  'x-kubernetes-validations': [
    { rule: 'self.size <= 5 || self.color == "green"', message: 'only green ones may be large', fieldPath: '.size' },
    { rule: '!has(oldSelf.code) || (has(self.code) && self.code == oldSelf.code)', message: 'code is immutable' },
    { rule: '!has(self.parts) || self.parts.all(p, has(p.unit) || p.weight < 100)' },
    { rule: '!has(self.tags) || self.tags.size() == 0 || self.tags[0] != "first" || !has(self.note)' },
  ],
}

/** A definition that says most of what one can say. */
export const DEFINITION: KubeObject & { spec: object } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: { spec, status: { type: 'object', properties: { ready: { type: 'integer' } } } },
            'x-kubernetes-validations': [{ rule: "self.metadata.name != 'forbidden'", message: 'not this name' }],
          },
        },
        subresources: { status: {} },
      },
    ],
  },
}

/** A widget in the namespace `default`. */
export function widget(name: string, content: object): KubeObject & { spec: object } {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'default' }, spec: content }
}

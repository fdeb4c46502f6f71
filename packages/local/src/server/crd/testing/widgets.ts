import type { KubeObject, Resource } from '@trainjob/kube'
import type { CustomResourceDefinition, DefinedVersion } from '../definition.ts'
import type { StructuralSchema } from '../structural-schema.ts'

/** A schema that uses what a schema can say. */
export const WIDGET_SCHEMA: StructuralSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        color: { type: 'string', enum: ['red', 'green'], default: 'red' },
        code: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
        port: { 'x-kubernetes-int-or-string': true },
        replicas: { type: 'integer', default: 1 },
        note: { type: 'string', nullable: true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              weight: { type: 'integer', default: 1 },
              unit: {
                type: 'string',
                'x-kubernetes-validations': [{ rule: "self in ['g', 'kg']", reason: 'FieldValueForbidden' }],
              },
            },
          },
        },
      },
      'x-kubernetes-validations': [
        {
          rule: 'self.size <= 5 || self.color == "green"',
          message: 'only green ones may be large',
          fieldPath: '.size',
        },
        { rule: '!has(oldSelf.code) || self.code == oldSelf.code', message: 'code is immutable' },
      ],
    },
    status: { type: 'object', properties: { ready: { type: 'integer' }, phase: { type: 'string' } } },
  },
}

/** A definition of widgets in the group example.com. */
export function widgetDefinition(
  change: { names?: object; spec?: object; version?: Partial<DefinedVersion>; name?: string } = {},
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: change.name ?? 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], ...change.names },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: WIDGET_SCHEMA },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.ready' },
          },
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
            { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
          ],
          ...change.version,
        },
      ],
      ...change.spec,
    },
  }
}

/** Where widgets are served. */
export const Widgets: Resource<KubeObject & { spec: Record<string, unknown>; status?: Record<string, unknown> }> = {
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
}

/** A widget in the namespace `default`. */
export function widget(name: string, spec: object = { size: 1 }): KubeObject & { spec: Record<string, unknown> } {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'default' }, spec: { ...spec } }
}

import type { Resource } from '@trainjob/kube'
import type { Definition } from '../control-plane/definitions.ts'

/** A custom kind with lists and maps of all sorts and a default. */
export const Gadgets: Resource = {
  group: 'example.com',
  version: 'v1',
  plural: 'gadgets',
  kind: 'Gadget',
  namespaced: true,
}

const text = { type: 'string' }

const SPEC = {
  replicas: { type: 'integer', default: 1 },
  color: text,
  note: { type: 'string', nullable: true },
  tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  steps: { type: 'array', items: text },
  limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
  parts: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'side'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: text, side: { type: 'string', default: 'left' }, size: { type: 'integer' } },
    },
  },
  group: { type: 'object', properties: { a: text, b: text } },
  whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.ready' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: SPEC },
              status: { type: 'object', properties: { ready: { type: 'integer' }, phase: text } },
            },
          },
        },
      },
    ],
  },
}

/** Definition of the gadgets. */
export const GADGET_DEFINITION: Definition = definition

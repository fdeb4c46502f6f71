import { expect, it } from 'vitest'
import { initializerOf } from './initializer-of.ts'

it.each([
  ['dataset', { name: 'x', image: 'ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0' }, {}],
  ['model', { name: 'x', image: 'registry:5000/model-initializer@sha256:aa' }, {}],
  ['dataset', { name: 'dataset-initializer', image: 'my/own' }, {}],
  ['model', { name: 'x', image: 'my/own' }, { 'trainer.kubeflow.org/trainjob-ancestor-step': 'model-initializer' }],
  [undefined, { name: 'node', image: 'pytorch/pytorch' }, { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' }],
  [undefined, { name: 'dataset-initializer', image: 'x', command: ['python', 'fetch.py'] }, {}],
  [undefined, { name: 'x', image: 'my/dataset-initializer-tools' }, {}],
])('finds %s in %j', (expected, container, labels) => {
  expect(initializerOf(container, labels)).toBe(expected)
})

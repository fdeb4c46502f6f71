import { validateRuntime as validateSchema } from '@trainjob/api/validate'
import { describe, expect, it } from 'vitest'
import { render } from '../render.ts'
import { aTrainJob } from '../testing/objects.ts'
import { validateRuntime } from '../validate-runtime.ts'
import { shippedRuntimes } from './shipped-runtimes.ts'

/** Pods of each replicated job when four nodes are asked for. */
const PODS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  plain: { node: 4 },
  'torch-distributed': { node: 4 },
  'deepspeed-distributed': { node: 3, launcher: 1 },
  'flux-distributed': { node: 4 },
  'jax-distributed': { node: 4 },
  'mlx-distributed': { node: 3, launcher: 1 },
  'tensorflow-distributed': { node: 4 },
  'torch-elastic': { node: 4 },
  'torchtune-llama3.2-1b': { 'dataset-initializer': 1, 'model-initializer': 1, node: 4 },
  'torchtune-llama3.2-3b': { 'dataset-initializer': 1, 'model-initializer': 1, node: 4 },
  'torchtune-qwen2.5-1.5b': { 'dataset-initializer': 1, 'model-initializer': 1, node: 4 },
  'xgboost-distributed': { node: 4 },
}

describe('shipped runtimes', () => {
  it('have names of their own', () => {
    expect(shippedRuntimes().map(({ metadata }) => metadata.name)).toEqual(Object.keys(PODS))
  })

  it.each(shippedRuntimes().map((runtime) => [runtime.metadata.name ?? '', runtime] as const))(
    '%s is valid, has the label that the Python SDK looks for, and renders',
    (name, runtime) => {
      expect(validateSchema(runtime)).toEqual({ errors: [], warnings: [] })
      expect(validateRuntime(runtime)).toEqual({ errors: [], warnings: [] })
      expect(runtime.metadata.labels).toHaveProperty(['trainer.kubeflow.org/framework'])
      const { podSets } = render(aTrainJob({ trainer: { numNodes: 4 } }), runtime)
      expect(Object.fromEntries(podSets.map((podSet) => [podSet.name, podSet.count]))).toEqual(PODS[name])
    },
  )
})

import { describe, expect, it } from 'vitest'
import { render } from '../render.ts'
import { aTrainJob } from '../testing/objects.ts'
import { validateRuntime } from '../validate-runtime.ts'
import { shippedRuntimes } from './shipped-runtimes.ts'

describe('shipped runtimes', () => {
  it('have names of their own', () => {
    expect(shippedRuntimes().map(({ metadata }) => metadata.name)).toEqual(['plain', 'torch-distributed'])
  })

  it.each(shippedRuntimes().map((runtime) => [runtime.metadata.name, runtime] as const))(
    '%s is valid and renders',
    (_, runtime) => {
      expect(validateRuntime(runtime)).toEqual({ errors: [], warnings: [] })
      expect(render(aTrainJob({ trainer: { numNodes: 4 } }), runtime).podSets).toEqual([
        { name: 'node', ancestor: 'trainer', count: 4 },
      ])
    },
  )
})

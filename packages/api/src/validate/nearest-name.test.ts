import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { nearestName } from './nearest-name.ts'

describe('the distance of two words', () => {
  it.each([
    ['', '', 0],
    ['a', '', 1],
    ['kitten', 'sitting', 3],
    ['numNodes', 'numNodse', 1],
    ['image', 'imagee', 1],
    ['abcd', 'acbd', 1],
  ])('%s and %s', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  it('is the same both ways, nothing only for equal words, and at most the longer length', () => {
    const word = fc.stringMatching(/^[abc]{0,8}$/)
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b)
        expect(editDistance(b, a)).toBe(distance)
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
      }),
    )
  })
})

describe('the nearest name', () => {
  const trainer = ['image', 'command', 'args', 'env', 'numNodes', 'resourcesPerNode', 'numProcPerNode']

  it.each([
    ['num_nodes', 'numNodes'],
    ['NumNodes', 'numNodes'],
    ['numNode', 'numNodes'],
    ['nmuNodes', 'numNodes'],
    ['nodes', 'numNodes'],
    ['nnodes', 'numNodes'],
    ['resources', 'resourcesPerNode'],
    ['nproc_per_node', 'numProcPerNode'],
    ['imgae', 'image'],
    ['envs', 'env'],
    ['arg', 'args'],
    ['cmd', 'command'],
    ['entrypoint', 'command'],
  ])('to %s is %s', (word, name) => {
    expect(nearestName(word, trainer)).toBe(name)
  })

  it.each(['foo', 'backoffLimit', 'x', 'volumes', 'constructor', '__proto__'])('to %s is none', (word) => {
    expect(nearestName(word, trainer)).toBeUndefined()
  })

  it('is one that exists here: a synonym for a field of another object does not count', () => {
    expect(nearestName('cmd', ['image'])).toBeUndefined()
  })
})

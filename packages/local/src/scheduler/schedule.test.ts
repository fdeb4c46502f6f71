import type { Node, Pod } from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bookkeeping, createBookkeeping } from './bookkeeping.ts'

interface Sample {
  readonly name: string
  readonly cpu?: string
  readonly gpu?: string
  readonly priority?: number
  readonly gang?: string
  readonly node?: string
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly going?: boolean
  readonly gated?: boolean
}

function pod({ name, cpu, gpu, priority, gang, node, phase = 'Pending', going, gated }: Sample): Pod {
  const requests = { ...(cpu !== undefined && { cpu }), ...(gpu !== undefined && { 'nvidia.com/gpu': gpu }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      labels: { 'jobset.sigs.k8s.io/jobset-uid': gang ?? name },
      ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: {
      containers: [{ name: 'c', resources: { requests } }],
      ...(node !== undefined && { nodeName: node }),
      ...(priority !== undefined && { priority }),
      ...(gated && { schedulingGates: [{ name: 'g' }] }),
    },
    status: { phase },
  }
}

function books(allocatable: Record<string, string>): Bookkeeping {
  const result = createBookkeeping()
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'local' }, status: { allocatable } }
  result.observeNode({ type: 'added', object: node, initial: true })
  return result
}

const added = (sample: Sample) => ({ type: 'added' as const, object: pod(sample), initial: false })
const updated = (sample: Sample) => ({ type: 'updated' as const, object: pod(sample), old: pod(sample) })
const deleted = (sample: Sample) => ({ type: 'deleted' as const, object: pod(sample) })

function round(scheduler: Bookkeeping): string[] {
  return scheduler.schedule().bindings.map(({ pending }) => pending.uid)
}

describe('turns', () => {
  it.each<[string, Sample[], string[]]>([
    ['first come, first served', [{ name: 'a' }, { name: 'b' }], ['a', 'b']],
    ['higher priority first', [{ name: 'a' }, { name: 'b', priority: 5 }], ['b', 'a']],
    ['pods of one job together', [{ name: 'a', gang: 'x' }, { name: 'b' }, { name: 'c', gang: 'x' }], ['a', 'c', 'b']],
    [
      'as many as fit',
      [
        { name: 'a', cpu: '3' },
        { name: 'b', cpu: '2' },
      ],
      ['a'],
    ],
    [
      'what fits is not held up by what does not',
      [
        { name: 'a', cpu: '9' },
        { name: 'b', cpu: '2' },
      ],
      ['b'],
    ],
    [
      'devices are counted',
      [
        { name: 'a', gpu: '1' },
        { name: 'b', gpu: '1' },
      ],
      ['a'],
    ],
    ['a device nobody has', [{ name: 'a', cpu: '1', gpu: '2' }], []],
  ])('%s', (_, samples, expected) => {
    const scheduler = books({ cpu: '4', 'nvidia.com/gpu': '1', pods: '10' })
    for (const sample of samples) expect(scheduler.observePod(added(sample))).toBe(true)
    expect(round(scheduler)).toEqual(expected)
  })

  it('a job that came first keeps its turn when its pods are made again', () => {
    const scheduler = books({ cpu: '2' })
    for (const name of ['a1', 'a2']) scheduler.observePod(added({ name, gang: 'a', cpu: '1' }))
    expect(round(scheduler)).toEqual(['a1', 'a2'])
    scheduler.observePod(added({ name: 'b1', gang: 'b', cpu: '1' }))
    expect(round(scheduler)).toEqual([])
    scheduler.observePod(updated({ name: 'a1', gang: 'a', cpu: '1', node: 'local', phase: 'Failed' }))
    scheduler.observePod(added({ name: 'a3', gang: 'a', cpu: '1' }))
    expect(round(scheduler)).toEqual(['a3'])
  })
})

describe('room', () => {
  it('is given back when a pod has ended or is gone, once', () => {
    const scheduler = books({ cpu: '1' })
    for (const name of ['a', 'b', 'c']) scheduler.observePod(added({ name, cpu: '1' }))
    expect(round(scheduler)).toEqual(['a'])
    expect(scheduler.observePod(updated({ name: 'a', cpu: '1', node: 'local', phase: 'Running' }))).toBe(false)
    expect(round(scheduler)).toEqual([])
    expect(scheduler.observePod(updated({ name: 'a', cpu: '1', node: 'local', phase: 'Succeeded' }))).toBe(true)
    expect(round(scheduler)).toEqual(['b'])
    expect(scheduler.observePod(deleted({ name: 'a', cpu: '1', node: 'local', phase: 'Succeeded' }))).toBe(false)
    expect(round(scheduler)).toEqual([])
    expect(scheduler.observePod(deleted({ name: 'b', cpu: '1', node: 'local' }))).toBe(true)
    expect(round(scheduler)).toEqual(['c'])
  })

  it('stays taken while a pod terminates', () => {
    const scheduler = books({ cpu: '1' })
    scheduler.observePod(added({ name: 'a', cpu: '1', node: 'local', going: true }))
    scheduler.observePod(added({ name: 'b', cpu: '1' }))
    expect(round(scheduler)).toEqual([])
  })

  it('is given back when a binding fails', () => {
    const scheduler = books({ cpu: '1' })
    scheduler.observePod(added({ name: 'a', cpu: '1' }))
    const [binding] = scheduler.schedule().bindings
    if (binding === undefined) throw new Error('a binding')
    expect(scheduler.observePod(updated({ name: 'a', cpu: '1' }))).toBe(false)
    scheduler.undo(binding, true)
    expect(round(scheduler)).toEqual(['a'])
  })

  it('pods that are deleted or gated do not wait for it', () => {
    const scheduler = books({ cpu: '1' })
    scheduler.observePod(added({ name: 'a', cpu: '2' }))
    scheduler.observePod(updated({ name: 'a', cpu: '2', going: true }))
    scheduler.observePod(added({ name: 'g', gated: true }))
    expect(scheduler.schedule()).toEqual({ bindings: [], refusals: [] })
    expect(scheduler.takeGated().map(({ metadata }) => metadata.name)).toEqual(['g'])
    expect(scheduler.takeGated()).toEqual([])
    scheduler.observePod(updated({ name: 'g' }))
    expect(round(scheduler)).toEqual(['g'])
  })

  it('a heartbeat of the node is no reason to look again', () => {
    const scheduler = books({ cpu: '1' })
    const node = (cpu: string): Node => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'local' },
      status: { allocatable: { cpu } },
    })
    expect(scheduler.observeNode({ type: 'updated', old: node('1'), object: node('1') })).toBe(false)
    scheduler.observePod(added({ name: 'a', cpu: '2' }))
    expect(round(scheduler)).toEqual([])
    expect(scheduler.observeNode({ type: 'updated', old: node('1'), object: node('2') })).toBe(true)
    expect(round(scheduler)).toEqual(['a'])
  })
})

it('never gives more than there is, forgets no pod, and leaves none waiting that fits', () => {
  const step = fc.record({
    name: fc.nat(9),
    cpu: fc.integer({ min: 1, max: 5 }),
    gone: fc.boolean(),
    priority: fc.nat(2),
    gang: fc.constantFrom('x', 'y'),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
      const scheduler = books({ cpu: `${capacity}` })
      const living = new Map<string, Sample & { cpu: string }>()
      const placed = new Set<string>()
      for (const each of steps) {
        const name = `p${each.name}`
        const old = living.get(name)
        if (old !== undefined) {
          if (each.gone) {
            scheduler.observePod(deleted({ ...old, ...(placed.has(name) && { node: 'local' }) }))
            living.delete(name)
            placed.delete(name)
          }
        } else {
          const sample = { name, cpu: `${each.cpu}`, priority: each.priority, gang: each.gang }
          living.set(name, sample)
          scheduler.observePod(added(sample))
        }
        for (const uid of round(scheduler)) {
          expect(placed.has(uid)).toBe(false)
          placed.add(uid)
          scheduler.observePod(updated({ ...(living.get(uid) as Sample), node: 'local' }))
        }
        const used = [...placed].reduce((sum, uid) => sum + Number(living.get(uid)?.cpu), 0)
        expect(used).toBeLessThanOrEqual(capacity)
        for (const [uid, { cpu }] of living) {
          if (!placed.has(uid)) expect(Number(cpu)).toBeGreaterThan(capacity - used)
        }
      }
    }),
  )
})

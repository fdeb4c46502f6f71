import type { Job } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { amountsOf } from './amounts.ts'
import { createLedger } from './ledger.ts'
import { refusalMessage } from './refusal-message.ts'

function refuse(requests: Record<string, string>, taken: Record<string, string>, job?: Job) {
  const ledger = createLedger()
  const allocatable = { cpu: '2', memory: '4Gi', pods: '5' }
  ledger.setNode({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { allocatable } })
  ledger.take('other', 'n', amountsOf(taken))
  const place = ledger.place(amountsOf(requests))
  if (!('shortages' in place)) throw new Error('it fits')
  return refusalMessage(place.shortages, amountsOf(requests), job)
}

const job = (parallelism: number) =>
  ({ metadata: { name: 'train' }, spec: { parallelism, completions: parallelism } }) as unknown as Job

describe('why a pod waits', () => {
  it('names what is short, and how much', () => {
    expect(refuse({ cpu: '1500m', memory: '3Gi' }, { cpu: '1', memory: '2Gi' }).text).toBe(
      '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. cpu: requested 1500m, free 1 of 2. memory: requested 3Gi, free 2Gi of 4Gi.',
    )
  })

  it('says that it never fits', () => {
    expect(refuse({ cpu: '3' }, {}).text).toBe(
      '0/1 nodes are available: 1 Insufficient cpu. cpu: requested 3, free 2 of 2. It can never run here as long as it requests more cpu than there is.',
    )
    expect(refuse({ 'nvidia.com/gpu': '1' }, {}).text).toContain('nvidia.com/gpu: requested 1, free 0 of 0.')
  })

  it('says that the pods of a job never fit together', () => {
    expect(refuse({ cpu: '1' }, { cpu: '2' }, job(4)).text).toContain(
      'The 4 pods of Job train can never run at the same time: they request 4 cpu in all, and there is 2.',
    )
    expect(refuse({ cpu: '1' }, { cpu: '2' }, job(2)).text).not.toContain('never')
  })

  it('is worth saying again only when something else is short', () => {
    const gist = refuse({ cpu: '1' }, { cpu: '2' }).gist
    expect(refuse({ cpu: '1' }, { cpu: '1500m' }).gist).toBe(gist)
    expect(refuse({ cpu: '1', memory: '1Gi' }, { cpu: '2', memory: '4Gi' }).gist).not.toBe(gist)
  })

  it('counts pods, too, and knows what to say without a node', () => {
    expect(refuse({ pods: '1' }, { pods: '5' }).text).toContain('1 Too many pods.')
    expect(refusalMessage(new Map(), new Map()).text).toBe('no nodes available to schedule pods')
  })
})

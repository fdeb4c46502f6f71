import type { Pod, PodStatus } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { type ContainerRecord, type PodRecord, takeOver } from './container-record.ts'
import { podStatus } from './pod-status.ts'

const NOW = Date.parse('2026-12-01T10:00:05Z')
const place = { hostIP: '127.0.0.1', podIP: '127.70.0.1', uid: 'u', name: 'p_default(u)' }

function fresh(spec: Partial<Pod['spec']> = {}): PodRecord {
  const containers = [{ name: 'node', image: 'pytorch' }]
  return takeOver({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers, ...spec } }, NOW - 5_000)
}
function set(record: PodRecord, name: string, change: Partial<ContainerRecord>): PodRecord {
  return { ...record, containers: record.containers.map((c) => (c.name === name ? { ...c, ...change } : c)) }
}
const ended = (exitCode: number) =>
  ({
    kind: 'terminated',
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: NOW - 3_000,
    finishedAt: NOW,
  }) as const
const status = (
  record: PodRecord,
  policy: 'Always' | 'OnFailure' | 'Never' = 'OnFailure',
  backingOff: string[] = [],
  before: PodStatus['conditions'] = [],
) => podStatus({ restartPolicy: policy }, record, backingOff, before, place, NOW)
const conditions = (s: PodStatus) => Object.fromEntries((s.conditions ?? []).map((c) => [c.type, c.reason ?? c.status]))

describe('podStatus', () => {
  it('of a pod that begins', () => {
    const s = status(fresh())
    expect(s).toMatchObject({
      phase: 'Pending',
      hostIP: '127.0.0.1',
      podIP: '127.70.0.1',
      podIPs: [{ ip: '127.70.0.1' }],
      startTime: '2026-12-01T10:00:00Z',
      containerStatuses: [
        {
          name: 'node',
          image: 'pytorch',
          ready: false,
          started: false,
          restartCount: 0,
          state: { waiting: { reason: 'ContainerCreating' } },
          lastState: {},
        },
      ],
    })
    expect(conditions(s)).toEqual({
      PodScheduled: 'True',
      Initialized: 'True',
      ContainersReady: 'ContainersNotReady',
      Ready: 'ContainersNotReady',
    })
  })

  it('of a pod that runs', () => {
    const s = status(set(fresh(), 'node', { state: { kind: 'running', startedAt: NOW }, started: true, ready: true }))
    expect(s.phase).toBe('Running')
    expect(s.containerStatuses?.[0]).toMatchObject({
      ready: true,
      containerID: 'process://u/node/0',
      state: { running: { startedAt: '2026-12-01T10:00:05Z' } },
    })
    expect(conditions(s)).toMatchObject({ Ready: 'True', ContainersReady: 'True' })
  })

  it('of one that waits for its next attempt', () => {
    const s = status(
      set(fresh(), 'node', { state: ended(3), attempt: 2, last: ended(1), backoffMs: 2_000 }),
      'OnFailure',
      ['node'],
    )
    expect(s.phase).toBe('Running')
    expect(s.containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 2s restarting failed container=node pod=p_default(u)',
        },
      },
      lastState: { terminated: { exitCode: 3, containerID: 'process://u/node/2' } },
    })
  })

  it.each([
    ['OnFailure', 0, 'Succeeded'],
    ['OnFailure', 1, 'Running'],
    ['Never', 0, 'Succeeded'],
    ['Never', 1, 'Failed'],
    ['Always', 0, 'Running'],
  ] as const)('phase with %s after exit code %i: %s', (policy, code, phase) => {
    expect(status(set(fresh(), 'node', { state: ended(code) }), policy).phase).toBe(phase)
  })

  it('of a pod that was ended: what never started counts as failed', () => {
    const s = status({ ...fresh(), ending: {} })
    expect(s.phase).toBe('Failed')
    expect(s.containerStatuses?.[0]?.state).toMatchObject({
      terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' },
    })
    expect(conditions(s)).toMatchObject({ Ready: 'PodFailed' })
  })

  it('of a pod past its deadline', () => {
    const record = set({ ...fresh(), ending: { reason: 'DeadlineExceeded', message: 'too long' } }, 'node', {
      state: ended(0),
    })
    expect(status(record)).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded', message: 'too long' })
  })

  it('of a pod that was ended after it had done its work', () => {
    expect(status(set({ ...fresh(), ending: {} }, 'node', { state: ended(0) })).phase).toBe('Succeeded')
  })

  it('with init containers', () => {
    const record = fresh({ initContainers: [{ name: 'get' }, { name: 'proxy', restartPolicy: 'Always' }] })
    const s = status(set(record, 'get', { state: { kind: 'running', startedAt: NOW } }))
    expect(s.phase).toBe('Pending')
    expect(s.initContainerStatuses?.map((c) => c.name)).toEqual(['get', 'proxy'])
    expect(s.containerStatuses?.[0]?.state).toEqual({ waiting: { reason: 'PodInitializing' } })
    expect(s.conditions?.find((c) => c.type === 'Initialized')).toMatchObject({
      status: 'False',
      message: 'containers with incomplete status: [get proxy]',
    })
  })

  it('keeps times of conditions that do not change, and conditions of others', () => {
    const before: PodStatus['conditions'] = [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-12-01T09:00:00Z' },
      { type: 'Ready', status: 'True', lastTransitionTime: '2026-12-01T09:00:00Z' },
      { type: 'DisruptionTarget', status: 'True', reason: 'Test', lastTransitionTime: '2026-12-01T09:00:00Z' },
    ]
    const s = status(fresh(), 'OnFailure', [], before)
    expect(s.conditions?.find((c) => c.type === 'PodScheduled')?.lastTransitionTime).toBe('2026-12-01T09:00:00Z')
    expect(s.conditions?.find((c) => c.type === 'Ready')?.lastTransitionTime).toBe('2026-12-01T10:00:05Z')
    expect(s.conditions).toContainEqual(before[2])
  })
})

describe('takeOver', () => {
  const again = (containerStatuses: PodStatus['containerStatuses']) =>
    takeOver(
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {},
        spec: { containers: [{ name: 'node' }] },
        status: { containerStatuses: containerStatuses ?? [] },
      },
      NOW,
    ).containers[0]
  const base = { name: 'node', ready: false, image: '', imageID: '', restartCount: 3 }

  it('takes a container that ran under an engine that is gone for dead', () => {
    expect(again([{ ...base, state: { running: { startedAt: '2026-12-01T09:00:00Z' } } }])).toMatchObject({
      attempt: 3,
      state: { kind: 'terminated', exitCode: 137, message: 'the engine stopped while the container ran' },
    })
  })

  it('keeps how a container ended', () => {
    const terminated = { exitCode: 3, reason: 'Error', finishedAt: '2026-12-01T09:00:00Z' }
    expect(again([{ ...base, state: { terminated } }])).toMatchObject({
      attempt: 3,
      state: { exitCode: 3, reason: 'Error' },
    })
    expect(
      again([{ ...base, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } }]),
    ).toMatchObject({
      attempt: 3,
      state: { kind: 'terminated', exitCode: 3 },
    })
  })
})

import type { PodSpec } from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContainerRecord, PodRecord } from './container-record.ts'
import { decide } from './decide.ts'
import { podPhase } from './pod-phase.ts'
import { nextRestart } from './restart-backoff.ts'

const backoff = { initialMs: 1_000, maxMs: 4_000, resetAfterMs: 60_000 }
const NOW = 1_000_000

type Policy = NonNullable<PodSpec['restartPolicy']>
type Role = ContainerRecord['role']

/** `init:w main:r main:1` — role and what it does: waiting, running, an exit code. */
function pod(text: string, extra: Partial<PodRecord> = {}): PodRecord {
  const containers = text.split(' ').map((part, index): ContainerRecord => {
    const [role, state] = part.split(':') as [Role, string]
    const running = state === 'r'
    return {
      name: `c${index}`,
      role,
      spec: { name: `c${index}` },
      attempt: 0,
      backoffMs: 0,
      started: running,
      ready: running,
      state: running
        ? { kind: 'running', startedAt: NOW - 10 }
        : state === 'w'
          ? { kind: 'waiting', reason: 'ContainerCreating' }
          : { kind: 'terminated', exitCode: Number(state), reason: '', startedAt: NOW - 20, finishedAt: NOW - 10 },
    }
  })
  return { containers, startTime: 0, ...extra }
}

const next = (policy: Policy, record: PodRecord, now = NOW) => {
  const { start, terminate, done } = decide({ restartPolicy: policy }, record, now, backoff)
  return { start, terminate, done }
}
const nothing = { start: [], terminate: [], done: false }
const done = { ...nothing, done: true }

describe('decide', () => {
  it.each<[string, Policy, string, Partial<ReturnType<typeof next>>]>([
    ['starts all main containers at once', 'Never', 'main:w main:w', { start: ['c0', 'c1'] }],
    ['waits while they run', 'Never', 'main:r main:0', {}],
    ['is done when all have succeeded', 'OnFailure', 'main:0 main:0', { done: true }],
    ['does not restart with Never', 'Never', 'main:1', { done: true }],
    ['restarts a failure with OnFailure', 'OnFailure', 'main:1 main:0', { start: ['c0'] }],
    ['restarts a success with Always', 'Always', 'main:0', { start: ['c0'] }],
    ['starts the first init container alone', 'Always', 'init:w init:w main:w', { start: ['c0'] }],
    ['waits for a running init container', 'Always', 'init:r init:w main:w', {}],
    ['goes on to the next init container', 'Always', 'init:0 init:w main:w', { start: ['c1'] }],
    ['starts main containers after the last init container', 'Always', 'init:0 init:0 main:w', { start: ['c2'] }],
    ['does not repeat an init container that succeeded', 'Always', 'init:0 main:r', {}],
    ['restarts a failed init container', 'OnFailure', 'init:1 main:w', { start: ['c0'] }],
    ['gives up with a failed init container and Never', 'Never', 'init:1 main:w', { done: true }],
    ['waits until a sidecar has started', 'Always', 'sidecar:w main:w', { start: ['c0'] }],
    ['starts main containers beside a sidecar', 'Always', 'sidecar:r main:w', { start: ['c1'] }],
    ['restarts a sidecar even with Never', 'Never', 'sidecar:0 main:r', { start: ['c0'] }],
    ['restarts both after a sidecar crashed', 'OnFailure', 'sidecar:1 main:1', { start: ['c0', 'c1'] }],
    [
      'ends sidecars after the main containers, the last first',
      'Never',
      'sidecar:r sidecar:r main:0',
      { terminate: ['c1'] },
    ],
    ['is done without sidecars', 'Never', 'sidecar:143 sidecar:143 main:0', { done: true }],
    ['ends sidecars of a pod whose init container failed', 'Never', 'sidecar:r init:1 main:w', { terminate: ['c0'] }],
  ])('%s', (_, policy, text, expected) => {
    expect(next(policy, pod(text))).toEqual({ ...nothing, ...expected })
  })

  it('ends everything that runs when the pod must end, sidecars last', () => {
    expect(next('Always', pod('sidecar:r main:r main:1', { ending: {} }))).toEqual({ ...nothing, terminate: ['c1'] })
    expect(next('Always', pod('sidecar:r main:143 main:1', { ending: {} }))).toEqual({ ...nothing, terminate: ['c0'] })
    expect(next('Always', pod('main:w', { ending: {} }))).toEqual(done)
  })

  it('waits out the back-off, and says when to look again', () => {
    const record = pod('main:1')
    const crashed = { ...record, containers: record.containers.map((c) => ({ ...c, backoffMs: 2_000 })) }
    const decision = decide({ restartPolicy: 'OnFailure' }, crashed, NOW, backoff)
    expect(decision).toMatchObject({ start: [], backingOff: ['c0'], wakeAt: NOW - 10 + 2_000 })
    expect(next('OnFailure', crashed, NOW - 10 + 2_000).start).toEqual(['c0'])
  })

  it('tries a container with a fault again at its time', () => {
    const record = pod('main:w')
    const faulty = {
      ...record,
      containers: record.containers.map((c) => ({
        ...c,
        state: { kind: 'waiting', reason: 'CreateContainerConfigError', until: NOW + 5 } as const,
      })),
    }
    expect(decide({}, faulty, NOW, backoff)).toMatchObject({ start: [], backingOff: [], wakeAt: NOW + 5 })
    expect(next('Always', faulty, NOW + 5).start).toEqual(['c0'])
  })
})

describe('restart back-off', () => {
  it('restarts at once, then after a wait that doubles up to the limit', () => {
    let record = pod('main:1').containers[0] as ContainerRecord
    const waits: number[] = []
    for (let attempt = 0; attempt < 6; attempt++) {
      const { at, backoffMs } = nextRestart(record, backoff)
      waits.push(at - (NOW - 10))
      record = { ...record, backoffMs }
    }
    expect(waits).toEqual([0, 1_000, 2_000, 4_000, 4_000, 4_000])
  })

  it('starts from the beginning after a healthy run', () => {
    const record = pod('main:1').containers[0] as ContainerRecord
    const healthy = {
      ...record,
      backoffMs: 4_000,
      state: { ...record.state, startedAt: NOW - 10 - backoff.resetAfterMs } as ContainerRecord['state'],
    }
    expect(nextRestart(healthy, backoff)).toEqual({ at: NOW - 10, backoffMs: 1_000 })
  })
})

/** Runs a pod on paper: containers end as `exits` say, ended ones as `decide` asks. */
function play(restartPolicy: Policy, first: PodRecord, exits: readonly number[]): PodRecord | undefined {
  let record = first
  let now = NOW
  const set = (name: string, change: Partial<ContainerRecord>): void => {
    record = { ...record, containers: record.containers.map((c) => (c.name === name ? { ...c, ...change } : c)) }
  }
  for (let step = 0; step < 400; step++) {
    const decision = decide({ restartPolicy }, record, now, backoff)
    if (decision.done) return record
    for (const name of decision.start) {
      const before = record.containers.find((c) => c.name === name) as ContainerRecord
      checkStart(before, record)
      const { backoffMs } = nextRestart(before, backoff)
      const attempt = before.state.kind === 'terminated' ? before.attempt + 1 : 0
      set(name, { state: { kind: 'running', startedAt: now }, started: true, ready: true, attempt, backoffMs })
    }
    // Sidecars crash now and then, others end at every step.
    const running = record.containers.filter(
      (c) => c.state.kind === 'running' && (c.role !== 'sidecar' || step % 7 === 0),
    )
    const asked = decision.terminate[0]
    const next = asked ?? running[step % Math.max(1, running.length)]?.name
    if (next !== undefined) {
      const exitCode = asked === undefined ? (exits[step] ?? 0) : 143
      const state = { kind: 'terminated', exitCode, reason: '', startedAt: now, finishedAt: now } as const
      set(next, { state, started: false, ready: false })
    }
    now = Math.max(now, decision.wakeAt ?? now)
  }
  return undefined
}

/** Nothing runs twice, and main containers never run before every init container has succeeded. */
function checkStart(container: ContainerRecord, record: PodRecord): void {
  expect(container.state.kind).not.toBe('running')
  if (container.role !== 'main') return
  const inits = record.containers.filter((c) => c.role === 'init')
  expect(inits.every((c) => c.state.kind === 'terminated' && c.state.exitCode === 0)).toBe(true)
}

describe('any pod that may end', () => {
  const shape = fc.record({
    policy: fc.constantFrom<Policy>('OnFailure', 'Never'),
    inits: fc.array(fc.constantFrom<Role>('init', 'sidecar'), { maxLength: 3 }),
    mains: fc.integer({ min: 1, max: 3 }),
  })
  const exits = fc.array(fc.constantFrom(0, 0, 1, 137), { minLength: 60, maxLength: 60 })

  it('reaches the phase that its containers deserve', () => {
    fc.assert(
      fc.property(shape, exits, ({ policy, inits, mains }, codes) => {
        const roles = [...inits, ...Array.from({ length: mains }, () => 'main')]
        const record = play(policy, pod(roles.map((role) => `${role}:w`).join(' ')), codes)
        if (record === undefined) expect.unreachable('the pod never ended')
        const succeeded = record.containers.every(
          (c) => c.role === 'sidecar' || (c.state.kind === 'terminated' && c.state.exitCode === 0),
        )
        expect(podPhase({ restartPolicy: policy }, { ...record, ending: {} })).toBe(succeeded ? 'Succeeded' : 'Failed')
        if (policy === 'OnFailure') expect(succeeded).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

import type { Pod } from '@trainjob/api'
import type { Clock } from '@trainjob/kube'
import { describe, expect, it } from 'vitest'
import { createServiceAccountTokens } from './service-account-tokens.ts'

const HOUR_MS = 3_600_000
const signal = new AbortController().signal
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'team', uid: 'u' },
  spec: { serviceAccountName: 'trainer', containers: [] },
}

/** A server that numbers its tokens, and a clock that goes on by hand. */
function surroundings() {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const timers = new Set<{ readonly at: number; readonly task: () => void }>()
  const clock: Clock = {
    now: () => now,
    after(ms, task) {
      const timer = { at: now + ms, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const asked: object[] = []
  const due: string[] = []
  let fails = false
  const client = {
    async create(_: unknown, body: { spec?: { expirationSeconds?: number } }) {
      if (fails) throw new Error('not now')
      asked.push(body)
      const expirationTimestamp = new Date(now + (body.spec?.expirationSeconds ?? 0) * 1000).toISOString()
      return { ...body, status: { token: `token ${asked.length}`, expirationTimestamp } }
    },
  }
  return {
    tokens: createServiceAccountTokens(client as never, clock, (uid) => due.push(uid)),
    asked,
    due,
    failing: (value: boolean) => (fails = value),
    pass(ms: number) {
      now += ms
      for (const timer of timers) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.task()
      }
    },
    timers,
  }
}

describe('tokens of a pod', () => {
  it('are asked for once, for the pod and its account', async () => {
    const { tokens, asked } = surroundings()
    expect(await Promise.all([tokens.token(pod, {}, signal), tokens.token(pod, {}, signal)])).toEqual([
      'token 1',
      'token 1',
    ])
    expect(await tokens.token(pod, { audience: 'other' }, signal)).toBe('token 2')
    expect(asked).toMatchObject([
      {
        metadata: { name: 'trainer', namespace: 'team' },
        spec: { expirationSeconds: 3600, boundObjectRef: { kind: 'Pod', name: 'p', uid: 'u' } },
      },
      { spec: { audiences: ['other'] } },
    ])
  })

  it('are made anew when four fifths of their time are over', async () => {
    const { tokens, due, pass } = surroundings()
    await tokens.token(pod, {}, signal)
    pass(0.79 * HOUR_MS)
    expect([await tokens.token(pod, {}, signal), due]).toEqual(['token 1', []])
    pass(0.02 * HOUR_MS)
    expect([await tokens.token(pod, {}, signal), due]).toEqual(['token 2', ['u']])
  })

  it('are made anew every day, however long they live', async () => {
    const { tokens, pass, due } = surroundings()
    await tokens.token(pod, { expirationSeconds: 30 * 24 * 3600 }, signal)
    pass(23 * HOUR_MS)
    expect(due).toEqual([])
    pass(1.1 * HOUR_MS)
    expect(due).toEqual(['u'])
  })

  it('are asked for again after a failure', async () => {
    const { tokens, failing } = surroundings()
    failing(true)
    await expect(tokens.token(pod, {}, signal)).rejects.toThrow('not now')
    failing(false)
    expect(await tokens.token(pod, {}, signal)).toBe('token 1')
  })

  it('are forgotten with it', async () => {
    const { tokens, timers } = surroundings()
    await tokens.token(pod, {}, signal)
    tokens.forget('u')
    expect(timers.size).toBe(0)
  })
})

import { childSignal } from '../child-signal.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { isAlreadyExists, isConflict, isNotFound, KubeError } from '../error.ts'
import type { ObjectKey } from '../resource.ts'
import { sleep } from '../sleep.ts'
import { keyText } from '../store/store.ts'
import { type Lease, Leases, microTime } from './lease.ts'

/** Which lease to hold, and for how long. Times are milliseconds. */
export interface LeaderElectionOptions {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>
  readonly clock: Clock
  readonly lease: ObjectKey & { readonly namespace: string }
  /** Unique to this process, for example host name and a random id. */
  readonly identity: string
  /** How long others wait after the last renewal they saw, 15 s. */
  readonly leaseDurationMs?: number
  /** How long the leader goes on without a successful renewal, 10 s. */
  readonly renewDeadlineMs?: number
  /** Time between tries, 2 s. */
  readonly retryPeriodMs?: number
  /** Milliseconds from any fixed point, never set back: expiry is judged by it alone. `performance.now` by default. */
  readonly monotonic?: () => number
  /** In [0, 1); spreads the tries of those who wait. */
  readonly random?: () => number
  /** Told when another identity leads. */
  readonly onLeader?: (identity: string) => void
  /** Told of failed calls, which are repeated. */
  readonly onError?: (error: unknown) => void
}

/** One candidate. Made by `createLeaderElection`. */
export interface LeaderElection {
  readonly leading: boolean
  /**
   * Waits to become the leader, then runs `lead` until it ends or the signal aborts. The lease is released afterwards.
   * `lead`'s own signal also aborts when the lease is lost; then `run` rejects with `KubeError` (`leadership-lost`),
   * after `lead` has ended: exit, because others act now.
   */
  run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
}

/** The record as last seen, and when it was seen to change by our own clock: remote times are not compared. */
interface Observed {
  readonly lease: Lease
  readonly text: string
  readonly at: number
}

/**
 * At most one of several processes leads, by a Lease object. Safe as long as no process is stopped for longer than
 * the lease lasts without noticing.
 *
 * @example
 * const election = createLeaderElection({
 *   client,
 *   clock: systemClock,
 *   lease: { namespace: 'default', name: 'greeter' },
 *   identity: 'host-1',
 * })
 * await election.run(async () => {
 *   election.leading // => true
 * }, new AbortController().signal)
 * const { spec } = await client.get(Leases, { namespace: 'default', name: 'greeter' })
 * spec?.holderIdentity // => ''
 */
export function createLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const { client, clock, lease: key, identity, monotonic = () => performance.now(), random = Math.random } = options
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = options
  let observed: Observed | undefined
  let leader: string | undefined
  let leading = false

  function observe(lease: Lease): Observed {
    const text = JSON.stringify(lease.spec ?? {})
    if (observed?.text !== text) observed = { lease, text, at: monotonic() }
    else observed = { ...observed, lease }
    const holder = lease.spec?.holderIdentity || undefined
    if (holder !== undefined && holder !== leader) options.onLeader?.(holder)
    leader = holder
    return observed
  }

  function specOf(held: Lease | undefined, holder: string): NonNullable<Lease['spec']> {
    const now = microTime(clock.now())
    const before = held?.spec
    const same = before?.holderIdentity === identity
    return {
      holderIdentity: holder,
      leaseDurationSeconds: holder === '' ? 1 : Math.ceil(leaseDurationMs / 1000),
      acquireTime: same ? (before?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (before?.leaseTransitions ?? 0) + (held !== undefined && !same ? 1 : 0),
    }
  }

  /** Takes or renews the lease; answers whether it is ours now. Rejects when the server could not be asked. */
  async function tryHold(signal: AbortSignal): Promise<boolean> {
    try {
      const seen = observe(await client.get(Leases, key, { signal }))
      const holder = seen.lease.spec?.holderIdentity ?? ''
      const validMs = Math.max(leaseDurationMs, (seen.lease.spec?.leaseDurationSeconds ?? 0) * 1000)
      if (holder !== '' && holder !== identity && monotonic() - seen.at < validMs) return false
      observe(await client.update(Leases, { ...seen.lease, spec: specOf(seen.lease, identity) }, { signal }))
      return true
    } catch (error) {
      // another was faster
      if (isConflict(error)) return false
      if (!isNotFound(error)) throw error
    }
    try {
      const metadata = { namespace: key.namespace, name: key.name }
      const lease: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata,
        spec: specOf(undefined, identity),
      }
      observe(await client.create(Leases, lease, { signal }))
      return true
    } catch (error) {
      if (isAlreadyExists(error) || isConflict(error)) return false
      throw error
    }
  }

  async function acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        if (await tryHold(signal)) return true
      } catch (error) {
        if (signal.aborted) break
        options.onError?.(error)
      }
      await sleep(clock, retryPeriodMs * (1 + random() * 0.2), signal)
    }
    return false
  }

  /** Renews until the signal aborts (answers undefined) or the lease is lost (answers why). */
  async function renew(signal: AbortSignal): Promise<KubeError | undefined> {
    let renewedAt = monotonic()
    let cause: unknown
    while (true) {
      await sleep(clock, retryPeriodMs, signal)
      if (signal.aborted) return undefined
      // a renewal that is not answered in time must not outlive the deadline
      const left = renewDeadlineMs - (monotonic() - renewedAt)
      const own = childSignal(signal)
      const stop = clock.after(Math.max(0, left), () => own.abort(new Error('not renewed in time')))
      const startedAt = monotonic()
      try {
        if (await tryHold(own.signal)) renewedAt = startedAt
        else if (leader !== undefined && leader !== identity) return lost(`"${leader}" has taken it`, undefined)
      } catch (error) {
        if (signal.aborted) return undefined
        cause = error
        options.onError?.(error)
      } finally {
        stop()
        own.release()
      }
      if (monotonic() - renewedAt >= renewDeadlineMs) {
        return lost(`it could not be renewed for ${renewDeadlineMs / 1000} s`, cause)
      }
    }
  }

  function lost(why: string, cause: unknown): KubeError {
    return new KubeError('leadership-lost', `"${identity}" lost the lease ${keyText(key)}: ${why}`, { cause })
  }

  async function release(): Promise<void> {
    try {
      const held = observed?.lease
      if (held?.spec?.holderIdentity !== identity) return
      await client.update(Leases, { ...held, spec: specOf(held, '') })
    } catch (error) {
      // it runs out by itself
      options.onError?.(error)
    }
  }

  return {
    get leading() {
      return leading
    },
    async run(lead, signal) {
      if (!(await acquire(signal))) return
      leading = true
      const leadSignal = childSignal(signal)
      const renewSignal = childSignal()
      const work = (async () => {
        try {
          await lead(leadSignal.signal)
        } finally {
          leading = false
          renewSignal.abort()
        }
      })()
      // the lease is kept until the work has ended, also while it winds down after the signal
      const loss = renew(renewSignal.signal).then((error) => {
        if (error !== undefined) {
          leading = false
          leadSignal.abort(error)
        }
        return error
      })
      try {
        await work
      } finally {
        const error = await loss
        leadSignal.release()
        if (error === undefined) await release()
      }
      const error = await loss
      if (error !== undefined) throw error
    },
  }
}

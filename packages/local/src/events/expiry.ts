import { type Event, Events } from '@trainjob/api'
import { type Client, type Clock, createInformer, type ObjectKey } from '@trainjob/kube'
import { unlessGone } from '../unless-gone.ts'

export interface EventExpiryOptions {
  readonly client: Client
  readonly clock: Clock
  /** How long an Event lives after it was last written; an hour when left out, as on a real server. */
  readonly ttlMs?: number
}

const HOUR_MS = 3_600_000
/** Events that end within this time go together. */
const SWEEP_MS = 10_000

/** Removes Events that nobody has written for a while. Without it they would fill the memory of a long-lived cluster. */
export function createEventExpiry({ client, clock, ttlMs = HOUR_MS }: EventExpiryOptions): {
  start(signal: AbortSignal): Promise<void>
} {
  /** By uid, the one written longest ago first: a write moves its Event to the end. */
  const written = new Map<string, { readonly key: ObjectKey; readonly at: number }>()
  const informer = createInformer({ client, clock, resource: Events, transform: bare })

  return {
    async start(signal) {
      let cancel = (): void => {}
      const sweep = (): void => {
        for (const [uid, { key, at }] of written) {
          if (at + ttlMs > clock.now()) break
          written.delete(uid)
          // whoever deletes it meanwhile does the same; a failure leaves it for the next start
          void unlessGone(client.delete(Events, key, { preconditions: { uid }, signal })).catch(() => {})
        }
        cancel = clock.after(SWEEP_MS, sweep)
      }
      const stop = informer.on((change) => {
        const { uid = '', namespace = '', name = '' } = change.object.metadata
        const known = written.get(uid)
        written.delete(uid)
        if (change.type === 'deleted') return
        const initial = change.type === 'added' && change.initial
        const at = initial ? lastSeen(change.object, clock.now()) : clock.now()
        written.set(uid, { key: known?.key ?? { namespace, name }, at })
      })
      cancel = clock.after(SWEEP_MS, sweep)
      try {
        await informer.run(signal)
      } finally {
        cancel()
        stop()
      }
    },
  }
}

/** What is needed of an Event: there may be many. */
function bare({ metadata: { uid, namespace, name, creationTimestamp, resourceVersion }, ...event }: Event): Event {
  const { apiVersion, kind, involvedObject, lastTimestamp, eventTime } = event
  const metadata = { uid, namespace, name, creationTimestamp, resourceVersion }
  return { apiVersion, kind, metadata, involvedObject, lastTimestamp, eventTime } as Event
}

/** The time of the last write as the Event tells it; one that tells nothing counts as new. */
function lastSeen({ lastTimestamp, eventTime, metadata }: Event, now: number): number {
  const times = [lastTimestamp, eventTime, metadata.creationTimestamp].map((text) => Date.parse(text ?? ''))
  const known = times.filter((time) => !Number.isNaN(time))
  return known.length === 0 ? now : Math.min(now, Math.max(...known))
}

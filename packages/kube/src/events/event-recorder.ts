import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { isNotFound } from '../error.ts'
import type { KubeObject } from '../object.ts'
import { type EventObject, EventObjects, type ObjectReference } from './event.ts'

/** What the API server accepts. */
const MESSAGE_LIMIT = 1024
/** Distinct events remembered for counting. */
const REMEMBERED = 4096
/** Events waiting to be written; more are dropped, oldest first: they tell a story, they do not keep the books. */
const WAITING_LIMIT = 1000

/** What an event says. */
export interface EventText {
  readonly type: 'Normal' | 'Warning'
  /** One word in CamelCase, for machines: `BackoffLimitExceeded`. */
  readonly reason: string
  /** For people. Cut at 1024 bytes. */
  readonly message: string
}

/** Tells users what happened to an object; see `createEventRecorder`. */
export interface EventRecorder {
  /**
   * Writes an event about the object, in the background; never fails. The same text about the same object again
   * raises the count of the event that exists.
   */
  record(object: KubeObject, text: EventText): void
  /** Resolves when everything recorded so far is written or given up. */
  flush(): Promise<void>
}

/** Where events go, and who they come from. */
export interface EventRecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch'>
  readonly clock: Clock
  /** Who tells: `job-controller`. */
  readonly component: string
  /** Which of several. */
  readonly instance?: string
  /** Told of events that could not be written. */
  readonly onError?: (error: unknown) => void
}

/** An event that was written before. */
interface Known {
  /** Given by the server; none before the first write. */
  name: string | undefined
  readonly namespace: string
  firstTimestamp: string
  /** As written. */
  count: number
}

interface Pending {
  readonly known: Known
  readonly involvedObject: ObjectReference
  readonly text: EventText
  /** When it last happened. */
  at: string
  /** How often it happened since it was written. */
  added: number
}

/**
 * Writes events as `kubectl describe` and `kubectl get events` show them.
 *
 * @example
 * import { Namespaces } from '@trainjob/api'
 *
 * const events = createEventRecorder({ client, clock: systemClock, component: 'greeter' })
 * const namespace = await client.get(Namespaces, { name: 'default' })
 * events.record(namespace, { type: 'Normal', reason: 'Greeted', message: 'hello' })
 * events.record(namespace, { type: 'Normal', reason: 'Greeted', message: 'hello' })
 * await events.flush()
 * const { items } = await client.list(EventObjects, { fieldSelector: 'reason=Greeted' })
 * items.map(({ message, count }) => ({ message, count })) // => [{ message: 'hello', count: 2 }]
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, component, instance } = options
  const known = new Map<string, Known>()
  const waiting = new Map<string, Pending>()
  let writing: Promise<void> | undefined

  function remember(id: string, namespace: string, at: string): Known {
    const before = known.get(id)
    const entry = before ?? { name: undefined, namespace, firstTimestamp: at, count: 0 }
    // the least recently used entry goes first
    known.delete(id)
    known.set(id, entry)
    if (known.size > REMEMBERED) dropFirst(known)
    return entry
  }

  async function writeAll(): Promise<void> {
    // what is recorded in this turn goes out together, and `record` itself costs its caller nothing
    await Promise.resolve()
    while (true) {
      const first = waiting.entries().next().value
      if (first === undefined) return
      const [id, pending] = first
      waiting.delete(id)
      try {
        await write(pending)
      } catch (error) {
        known.delete(id)
        options.onError?.(error)
      }
    }
  }

  async function write(pending: Pending): Promise<void> {
    const { known: entry, at } = pending
    entry.count += pending.added
    if (entry.name !== undefined) {
      try {
        const key = { namespace: entry.namespace, name: entry.name }
        await client.patch(EventObjects, key, { type: 'merge', body: { count: entry.count, lastTimestamp: at } })
        return
      } catch (error) {
        // servers forget events after an hour
        if (!isNotFound(error)) throw error
        entry.count = pending.added
        entry.firstTimestamp = at
      }
    }
    const { metadata } = await client.create(EventObjects, eventOf(pending))
    entry.name = metadata.name
  }

  function eventOf({ known: entry, involvedObject, text, at }: Pending): EventObject {
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: `${(involvedObject.name ?? 'event').slice(0, 200)}.`, namespace: entry.namespace },
      involvedObject,
      type: text.type,
      reason: text.reason,
      message: text.message,
      source: { component },
      reportingComponent: component,
      ...(instance !== undefined && { reportingInstance: instance }),
      firstTimestamp: entry.firstTimestamp,
      lastTimestamp: at,
      count: entry.count,
    }
  }

  return {
    record(object, given) {
      const { apiVersion, kind, metadata } = object
      const { name = '', namespace, uid, resourceVersion } = metadata
      const text = { ...given, message: cut(given.message) }
      const at = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
      const id = [namespace, kind, name, uid, text.type, text.reason, text.message].join('\0')
      const before = waiting.get(id)
      if (before !== undefined) {
        before.at = at
        before.added++
        return
      }
      const involvedObject: ObjectReference = {
        apiVersion,
        kind,
        name,
        ...(namespace !== undefined && { namespace }),
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      }
      // events about objects without a namespace live in the default one
      waiting.set(id, { known: remember(id, namespace ?? 'default', at), involvedObject, text, at, added: 1 })
      if (waiting.size > WAITING_LIMIT) dropFirst(waiting)
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
    },
    async flush() {
      while (writing !== undefined) await writing
    },
  }
}

/** The server counts bytes; a character that would be cut in two goes as a whole. */
function cut(message: string): string {
  const bytes = Buffer.from(message)
  if (bytes.length <= MESSAGE_LIMIT) return message
  return `${bytes
    .subarray(0, MESSAGE_LIMIT - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}...`
}

function dropFirst(map: Map<string, unknown>): void {
  const first = map.keys().next().value
  if (first !== undefined) map.delete(first)
}

import type { KubernetesObject } from '@trainjob/api'
import { type Clock, type Informer, keyOf } from '@trainjob/kube'

/** After so long a cache that has not caught up is believed anyway: the object came and went while nobody looked. */
const GIVE_UP_MS = 10_000

/**
 * What a controller has written and its caches do not show yet. A controller that decides on a cache older than its own
 * writes would do everything twice; so it asks here first, and leaves the object alone until the caches have caught up.
 * The change that it waits for wakes it.
 */
export interface OwnWrites {
  /** `object` is the server's answer to a create: the cache must come to show it. */
  created<T extends KubernetesObject>(owner: string, informer: Informer<T>, object: T): void
  /** `object` is the answer to an update, a patch, or a delete that takes time: the cache must not show an older one. */
  updated<T extends KubernetesObject>(owner: string, informer: Informer<T>, object: T): void
  /** The server has no such object any more: the cache must come to lose it. */
  deleted<T extends KubernetesObject>(owner: string, informer: Informer<T>, object: T): void
  /** Milliseconds to wait at most; 0 when the caches show everything that was written for `owner`. */
  behindMs(owner: string): number
  forget(owner: string): void
}

interface Pending {
  readonly until: number
  isSeen(): boolean
}

export function trackOwnWrites(clock: Clock): OwnWrites {
  const pending = new Map<string, Map<string, Pending>>()
  const owners = new Map<string, string>()
  const watched = new Set<unknown>()

  function expect<T extends KubernetesObject>(
    owner: string,
    informer: Informer<T>,
    object: T,
    isSeen: (cached: T | undefined) => boolean,
  ): void {
    const uid = object.metadata.uid ?? ''
    const entry: Pending = {
      until: clock.now() + GIVE_UP_MS,
      isSeen() {
        const cached = informer.store.get(keyOf(object))
        return isSeen(cached?.metadata.uid === uid ? cached : undefined)
      },
    }
    if (entry.isSeen()) return
    watch(informer)
    const entries = pending.get(owner) ?? new Map<string, Pending>()
    pending.set(owner, entries.set(uid, entry))
    owners.set(uid, owner)
  }

  // An object may come and go between two looks; its deletion answers every question about it.
  function watch(informer: Informer<KubernetesObject>): void {
    if (watched.has(informer)) return
    watched.add(informer)
    informer.on((change) => {
      const uid = change.object.metadata.uid ?? ''
      const owner = change.type === 'deleted' ? owners.get(uid) : undefined
      if (owner !== undefined) drop(owner, uid)
    })
  }

  function drop(owner: string, uid: string): void {
    owners.delete(uid)
    const entries = pending.get(owner)
    entries?.delete(uid)
    if (entries?.size === 0) pending.delete(owner)
  }

  return {
    created: (owner, informer, object) =>
      expect(owner, informer, object, (cached) => cached !== undefined && !isOlder(cached, object)),
    updated: (owner, informer, object) =>
      expect(owner, informer, object, (cached) => cached === undefined || !isOlder(cached, object)),
    deleted: (owner, informer, object) => expect(owner, informer, object, (cached) => cached === undefined),
    behindMs(owner) {
      const now = clock.now()
      let wait = 0
      for (const [uid, entry] of pending.get(owner) ?? []) {
        if (entry.isSeen() || entry.until <= now) drop(owner, uid)
        else wait = Math.max(wait, entry.until - now)
      }
      return wait
    },
    forget(owner) {
      for (const uid of pending.get(owner)?.keys() ?? []) owners.delete(uid)
      pending.delete(owner)
    },
  }
}

/** Versions of one server are whole numbers that grow (KEP-5504). */
function isOlder(cached: KubernetesObject, written: KubernetesObject): boolean {
  const a = cached.metadata.resourceVersion ?? ''
  const b = written.metadata.resourceVersion ?? ''
  return a.length === b.length ? a < b : a.length < b.length
}

import type { Clock } from '@trainjob/kube'
import type { Store } from './store.ts'

/** How far back watches and old snapshots reach at most, as with a real server. */
const KEPT_MS = 5 * 60_000

/**
 * Forgets history older than five minutes until the signal aborts: the states before a change are as large as the
 * objects, and a cluster that nobody touches needs none of them.
 */
export function compactHistory(store: Pick<Store, 'version' | 'compact'>, clock: Clock, signal: AbortSignal): void {
  let before = store.version
  const compact = (): void => {
    store.compact(before)
    before = store.version
    cancel = clock.after(KEPT_MS, compact)
  }
  let cancel = clock.after(KEPT_MS, compact)
  signal.addEventListener('abort', () => cancel(), { once: true })
}

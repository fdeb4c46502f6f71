import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The first answer that is neither `undefined`, `false` nor an error. What the watch-based API of the SDK cannot tell,
 * such as whether a process is gone, has to be asked again and again; the test's own time limit ends it.
 */
export async function eventually<T>(look: () => Promise<T> | T): Promise<Exclude<NonNullable<T>, false>> {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== null && found !== false) return found as Exclude<NonNullable<T>, false>
    await sleep(20)
  }
}

import { readFile } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { Credential, Credentials } from '../transport/cluster-config.ts'
import { shareInFlight } from './share-in-flight.ts'

/** Kubelets renew a service account's token long before it expires, so reading it once a minute is often enough. */
const FRESH_MS = 60_000

/**
 * A bearer token in a file that someone else renews. `along` is sent too. While the file cannot be read the last
 * token is used; without one `get` rejects with `KubeError` (`config`).
 */
export function fileToken(file: string, clock: Clock, along: Credential = {}): Credentials {
  let last: { readonly credential: Credential; readonly until: number } | undefined
  const read = shareInFlight(async () => {
    try {
      const token = (await readFile(file, 'utf8')).trim()
      const credential: Credential = { ...along, headers: { ...along.headers, authorization: `Bearer ${token}` } }
      last = { credential, until: clock.now() + FRESH_MS }
    } catch (error) {
      if (last === undefined) {
        throw new KubeError('config', `expected a token in ${file}, found: ${(error as Error).message}`, {
          cause: error,
        })
      }
      last = { ...last, until: clock.now() + FRESH_MS }
    }
    return last.credential
  })
  return {
    get: async () => (last !== undefined && clock.now() < last.until ? last.credential : read()),
    refresh() {
      if (last !== undefined) last = { ...last, until: 0 }
      return true
    },
  }
}

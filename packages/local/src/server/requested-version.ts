import type { Store } from '../store/store.ts'
import { unforeseen, versionTooLarge } from './failures.ts'
import type { Query } from './query.ts'

/**
 * `resourceVersion` of a read; `undefined` when it names none. Throws `ApiFailure`: 504 for one that is not written yet
 * (nothing can be behind here, so there is nothing to wait for), 500 for what is no version.
 */
export function requestedVersion({ resourceVersion }: Query, store: Store): number | undefined {
  const version = parseVersion(resourceVersion)
  if (version !== undefined && version > store.version) throw versionTooLarge(version, store.version)
  return version
}

/** Throws `ApiFailure` 500 for what is no version. */
export function parseVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,15}$/.test(text)) throw unforeseen(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

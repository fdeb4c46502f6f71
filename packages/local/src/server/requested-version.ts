import type { Store } from '../store/store.ts'
import { badRequest, unforeseen, versionTooLarge } from './failures.ts'
import type { Query } from './query.ts'

/**
 * `resourceVersion` of a read; `undefined` when it names none. Throws `ApiFailure`: 504 for one that is not written yet
 * (nothing can be behind here, so there is nothing to wait for), 400 for what is no version.
 */
export function requestedVersion({ resourceVersion }: Query, store: Store): number | undefined {
  const fault = versionFault(resourceVersion)
  if (fault !== undefined) throw badRequest(`invalid resource version: ${fault}`)
  const version = parseVersion(resourceVersion)
  if (version !== undefined && version > store.version) throw versionTooLarge(version, store.version)
  return version
}

/** Throws `ApiFailure` 500 for what is no version. */
export function parseVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const fault = versionFault(text)
  if (fault !== undefined) throw unforeseen(fault)
  return Number(text)
}

function versionFault(text: string | undefined): string | undefined {
  if (text === undefined || text === '' || /^\d{1,15}$/.test(text)) return undefined
  const shown = JSON.stringify(text)
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`
}

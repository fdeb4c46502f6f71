import { ApiFailure } from './api-failure.ts'
import { badRequest } from './failures.ts'
import { booleanOf, type Query } from './query.ts'

/** Checks the combination of parameters of a list or watch. Throws `ApiFailure` 400 or 422. */
export function checkListParameters(query: Query, watch: boolean): void {
  const { resourceVersion = '', resourceVersionMatch: match, continue: token } = query
  if (token && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const initialEvents = query.sendInitialEvents !== undefined
  if (initialEvents && !watch) throw refused('sendInitialEvents', 'sendInitialEvents is forbidden for list')
  if (initialEvents && match !== 'NotOlderThan') {
    throw refused('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  if (match === undefined) return
  if (watch && !initialEvents) {
    throw refused(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    )
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    throw refused(
      'resourceVersionMatch',
      `supported values are "Exact" and "NotOlderThan", found ${JSON.stringify(match)}`,
    )
  }
  if (token) throw refused('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
  if (!watch && resourceVersion === '') {
    throw refused('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided')
  }
  if (match === 'Exact' && resourceVersion === '0') {
    throw refused('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
}

/** Whether a watch asks for what exists now, closed by a marked bookmark. */
export function wantsInitialEvents(query: Query): boolean {
  return booleanOf(query.sendInitialEvents)
}

function refused(field: string, text: string): ApiFailure {
  const message = `Forbidden: ${text}`
  return new ApiFailure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, {
    details: {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', message, field }],
    },
  })
}

import { forbiddenValue, unsupportedValue } from './causes.ts'
import { type Cause, invalidOptions } from './failures.ts'
import { booleanOf, type Query } from './query.ts'

/** Checks the combination of parameters of a list or watch. Throws `ApiFailure` 422 with all that is wrong. */
export function checkListParameters(query: Query, watch: boolean): void {
  const causes = watch ? watchFaults(query) : listFaults(query)
  if (causes.length > 0) throw invalidOptions('ListOptions', causes)
}

const MATCH = 'resourceVersionMatch'

function watchFaults({ resourceVersionMatch: match, sendInitialEvents }: Query): readonly Cause[] {
  if (sendInitialEvents === undefined) {
    return match
      ? [forbiddenValue(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
      : []
  }
  if (match === 'NotOlderThan') return []
  return [
    forbiddenValue(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    ...(match ? [unsupportedValue(MATCH, match, ['NotOlderThan'])] : []),
  ]
}

function listFaults(query: Query): readonly Cause[] {
  const { resourceVersion = '', resourceVersionMatch: match = '', continue: token, sendInitialEvents } = query
  const causes: Cause[] = []
  if (match !== '') {
    if (resourceVersion === '') {
      causes.push(forbiddenValue(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    }
    if (token) causes.push(forbiddenValue(MATCH, 'resourceVersionMatch is forbidden when continue is provided'))
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(unsupportedValue(MATCH, match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && resourceVersion === '0') {
      causes.push(forbiddenValue(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbiddenValue('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  return causes
}

/** Whether a watch asks for what exists now, closed by a marked bookmark. */
export function wantsInitialEvents(query: Query): boolean {
  return booleanOf(query.sendInitialEvents)
}

import type { LogOptions } from '@trainjob/kube'
import { type Cause, invalid } from '../failures.ts'
import { booleanOf, integerOf, type Query } from '../query.ts'

/** Options of a log request. Throws `ApiFailure` 400 or 422. */
export function logOptionsOf(query: Query, podName: string): Omit<LogOptions, 'signal'> {
  const tailLines = integerOf(query.tailLines)
  const sinceSeconds = integerOf(query.sinceSeconds)
  const limitBytes = integerOf(query.limitBytes)
  const { sinceTime, container } = query
  const causes: Cause[] = [
    ...atLeast('tailLines', tailLines, 0, 'must be greater than or equal to 0'),
    ...atLeast('sinceSeconds', sinceSeconds, 1, 'must be greater than 0'),
    ...atLeast('limitBytes', limitBytes, 1, 'must be greater than 0'),
  ]
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    causes.push({
      reason: 'FieldValueForbidden',
      field: '[]',
      message: 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    })
  }
  if (sinceTime !== undefined && Number.isNaN(Date.parse(sinceTime))) {
    causes.push({
      reason: 'FieldValueInvalid',
      field: 'sinceTime',
      message: `Invalid value: ${JSON.stringify(sinceTime)}: must be an RFC 3339 time`,
    })
  }
  if (causes.length > 0) throw invalid({ kind: 'PodLogOptions', group: '' }, podName, causes)
  return {
    follow: booleanOf(query.follow),
    previous: booleanOf(query.previous),
    timestamps: booleanOf(query.timestamps),
    ...(container && { container }),
    ...(tailLines !== undefined && { tailLines }),
    ...(sinceSeconds !== undefined && { sinceSeconds }),
    ...(sinceTime !== undefined && { sinceTime }),
    ...(limitBytes !== undefined && { limitBytes }),
  }
}

function atLeast(field: string, value: number | undefined, least: number, text: string): Cause[] {
  if (value === undefined || value >= least) return []
  return [{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${value}: ${text}` }]
}

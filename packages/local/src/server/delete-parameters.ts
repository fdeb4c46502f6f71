import type { ApiCall } from './api-call.ts'
import { unsupportedValue } from './causes.ts'
import { badRequest, invalidOptions } from './failures.ts'
import { integerOf } from './query.ts'

/** What a DELETE may say, in its body (`DeleteOptions`) or its query. */
export interface DeleteParameters {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun: boolean
  /** What the answer is to warn of; each text once. */
  readonly warnings: Set<string>
}

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const
/** In the order and the words of a real server. */
const SUPPORTED = ['Foreground', 'Background', 'Orphan', 'nil']

/** Throws `ApiFailure` 400. */
export function deleteParametersOf({ body, query }: Pick<ApiCall, 'body' | 'query'>): DeleteParameters {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw badRequest('the body of a DELETE must be a DeleteOptions object')
  }
  const options = (body ?? {}) as Record<string, unknown>
  const propagation = options.propagationPolicy ?? query.propagationPolicy
  const policy = POLICIES.find((known) => known === propagation)
  if (propagation !== undefined && propagation !== null && policy === undefined) {
    throw invalidOptions('DeleteOptions', [unsupportedValue('propagationPolicy', propagation, SUPPORTED)])
  }
  const grace = options.gracePeriodSeconds ?? integerOf(query.gracePeriodSeconds)
  if (grace !== undefined && grace !== null && (typeof grace !== 'number' || !Number.isInteger(grace) || grace < 0)) {
    throw badRequest(`gracePeriodSeconds: Invalid value: ${JSON.stringify(grace)}: must be a non-negative integer`)
  }
  const preconditions = options.preconditions as DeleteParameters['preconditions'] | null | undefined
  return {
    warnings: new Set(),
    dryRun: query.dryRun === 'All' || (Array.isArray(options.dryRun) && options.dryRun.includes('All')),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(typeof grace === 'number' && { gracePeriodSeconds: grace }),
    ...(preconditions !== undefined && preconditions !== null && { preconditions }),
  }
}

import type { ApiCall } from '../api-call.ts'
import type { ReviewedWrite } from './admission-review.ts'

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const

/**
 * A request as webhooks are told of it.
 *
 * @param name left out while it is not made up
 * @param more of the options than the query says
 */
export function reviewedWrite(
  call: ApiCall,
  operation: keyof typeof OPTIONS,
  name: string | undefined,
  dryRun: boolean,
  more: object = {},
): ReviewedWrite {
  const { resource, subresource, namespace, caller, query, signal } = call
  const { fieldManager, fieldValidation } = query
  return {
    operation,
    resource,
    subresource,
    // the namespace of a namespace is itself
    namespace: resource.kind === 'Namespace' && resource.group === '' ? name : namespace,
    name,
    caller,
    dryRun,
    signal,
    options: {
      kind: OPTIONS[operation],
      apiVersion: 'meta.k8s.io/v1',
      ...(fieldManager && operation !== 'DELETE' && { fieldManager }),
      ...(fieldValidation && operation !== 'DELETE' && { fieldValidation }),
      ...more,
      ...(dryRun && { dryRun: ['All'] }),
    },
  }
}

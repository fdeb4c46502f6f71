import type { KubeObject } from '@trainjob/kube'
import type { ServerContext } from '../server-context.ts'
import type { ReviewedWrite } from './admission-review.ts'

/**
 * What webhooks make of the body of a subresource, as a `Scale` or a `Binding`, once all of them agree to it. Throws
 * `ApiFailure`.
 */
export async function reviewedContent(
  { webhooks }: Pick<ServerContext, 'webhooks'>,
  write: ReviewedWrite,
  object: object | null,
  oldObject: object | null,
  warnings: Set<string>,
): Promise<object | null> {
  const before = { object: object as KubeObject | null, oldObject: oldObject as KubeObject | null }
  const mutated = await webhooks.mutate(write, before, warnings, {
    decode: (patched) => patched as KubeObject,
    again: (changed) => changed,
  })
  await webhooks.validate(write, { ...before, object: mutated }, warnings)
  return mutated
}

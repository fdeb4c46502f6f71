import type { Secret } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'

/** Moves `stringData` into `data`, as base64, and names the type: what is stored has no `stringData`. */
export function prepareSecret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object as Secret
  const secret: Secret = { ...rest, type: rest.type ?? 'Opaque' }
  if (stringData === undefined || stringData === null) return secret
  const data: Record<string, string> = { ...rest.data }
  for (const [key, text] of Object.entries(stringData)) data[key] = Buffer.from(text).toString('base64')
  const result: Secret = { ...secret, data }
  return result
}

import type { KubeObject } from '@trainjob/kube'
import { type ApiResponse, type ListBody, wholeList } from '../api-response.ts'
import type { Format } from './accepted-format.ts'

/** An answer as its reader wants it written; what most of them want costs nothing here. */
export async function present(answer: ApiResponse, { syntax, pretty }: Format): Promise<ApiResponse> {
  const { body, status, headers } = answer
  if ((syntax === 'json' && !pretty) || (body.type !== 'json' && body.type !== 'list')) return answer
  const value =
    body.type === 'list' ? wholeList(body) : body.bareItems === true ? wholeList(bareList(body.value)) : body.value
  if (syntax === 'yaml') {
    const { stringify } = await import('yaml')
    const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
    return { status, headers: { ...headers, 'content-type': 'application/yaml' }, body: { type: 'text', text } }
  }
  const text = `${JSON.stringify(value, null, 2)}\n`
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: { type: 'text', text } }
}

/** A list whose items leave their kind to it. */
export function bareList(value: unknown): ListBody {
  const { items, ...head } = value as { items: readonly KubeObject[] }
  return { type: 'list', head, field: 'items', objects: items, member: withoutType }
}

function withoutType({ apiVersion: _, kind: __, ...rest }: KubeObject): object {
  return rest
}

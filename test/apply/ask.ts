import type { Resource, Transport } from '@trainjob/kube'
import type { Live, Request, Scenario } from './request.ts'

/** A server's answer in a form that two servers can agree on. */
export interface Seen {
  readonly status: number
  readonly warnings: string | undefined
  /** Whether the object has another version than before. */
  readonly written: boolean | undefined
  readonly body: unknown
}

/** Plays a scenario on a server; the object is called `object` in the answers, whatever its name. */
export async function ask(
  transport: Transport,
  { resource, requests }: Scenario,
  name: string,
): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  let live: Live | undefined
  for (const request of requests) {
    const { group, version, plural } = resource
    const base = `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/default/${plural}`
    const path = request.method === 'POST' ? base : `${base}/${name}${request.sub ? `/${request.sub}` : ''}`
    const { agent = 'test/1.0', type = 'application/json' } = request
    const body = bodyOf(request, resource, name, live)
    const response = await transport.request({
      method: request.method,
      path,
      headers: { 'content-type': type, 'user-agent': agent },
      ...(request.query && { query: request.query }),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const answer = (text.startsWith('{') ? JSON.parse(text) : { text }) as Live
    const before = metadataOf(live).resourceVersion
    const isObject = answer.kind === resource.kind
    seen.push({
      status: response.status,
      warnings: response.headers.warning,
      written: isObject && before !== undefined ? metadataOf(answer).resourceVersion !== before : undefined,
      body: normal(answer, name, metadataOf(live)),
    })
    if (isObject && request.query?.dryRun === undefined) live = answer
  }
  return seen
}

function bodyOf({ body, change, sub }: Request, resource: Resource, name: string, live: Live | undefined): unknown {
  if (change !== undefined) return change(live ?? {})
  if (typeof body !== 'object' || body === null || Array.isArray(body) || sub === 'scale') return body
  const given = body as Live
  const { group, version, kind } = resource
  const metadata = (given.metadata ?? {}) as Live
  const complete =
    'apiVersion' in given && 'kind' in given
      ? given
      : {
          apiVersion: group === '' ? version : `${group}/${version}`,
          kind,
          ...given,
          metadata: { name, ...metadata },
        }
  const { uid = 'none', resourceVersion = '0' } = metadataOf(live)
  const text = JSON.stringify(complete).replaceAll('$uid', String(uid)).replaceAll('$version', String(resourceVersion))
  return JSON.parse(text)
}

function metadataOf(object: Live | undefined): Live {
  return (object?.metadata ?? {}) as Live
}

/** Without what differs from server to server: names, ids, versions and times; entries of owners in one order. */
function normal(answer: Live, name: string, before: Live): unknown {
  const metadata = metadataOf(answer)
  const uids = [metadata.uid, before.uid].filter((uid): uid is string => typeof uid === 'string')
  const versions = [metadata.resourceVersion, before.resourceVersion]
  let text = JSON.stringify(answer).replaceAll(name, 'object')
  for (const uid of uids) text = text.replaceAll(uid, 'UID')
  const result = JSON.parse(text, (key, value) => {
    if (/^(creationTimestamp|deletionTimestamp|startTime)$/.test(key)) return 'TIME'
    if (key === 'resourceVersion' && versions.includes(value)) return 'VERSION'
    if (key === 'managedFields' && Array.isArray(value)) return entries(value)
    // a real server shows how the spec differs
    if (key === 'message' && /^[^\n]*pod updates may not change fields/.test(value)) return value.split(SHOWN, 1)[0]
    // Kubernetes finds them in no certain order
    return key === 'causes' && Array.isArray(value) ? value.toSorted(byText) : value
  }) as Live
  const { message, details } = result
  const several = ((details as Live | undefined)?.causes as readonly unknown[] | undefined)?.length ?? 0
  if (result.reason === 'Invalid' && several > 1) return { ...result, message: String(message).split(': ', 1)[0] }
  return result
}

const SHOWN = ',`spec.terminationGracePeriodSeconds`'

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

function entries(managedFields: readonly Live[]): unknown {
  return managedFields
    .map(({ time, ...entry }) => ({ ...entry, time: time !== undefined }))
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

function idOf({ manager, operation, apiVersion, subresource }: Live): string {
  return JSON.stringify([operation, manager, apiVersion, subresource])
}

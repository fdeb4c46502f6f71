import type { KubeObject } from '@trainjob/kube'

/** An event of a watch as the server hands it out. */
export interface ServerEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: unknown
}

/** Events of a watch that wait to be taken. */
export interface EventBatch {
  /** All of them, those included that came since the batch was handed over. */
  take(): readonly ServerEvent[]
}

/** What an answer consists of, before a transport turns it into what its client reads. */
type ApiBody =
  | { readonly type: 'none' }
  /** `bareItems`: the items of a list leave their kind to the list once they leave this process. */
  | { readonly type: 'json'; readonly value: unknown; readonly bareItems?: boolean }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bytes'; readonly chunks: AsyncIterable<Uint8Array> }
  | ListBody
  | { readonly type: 'events'; readonly batches: AsyncIterable<EventBatch> }

/** A list whose members are made one by one, so that whoever writes it can let others have a turn between them. */
export interface ListBody {
  readonly type: 'list'
  /** All of it but the members. */
  readonly head: object
  readonly field: 'items' | 'rows'
  readonly objects: readonly KubeObject[]
  /** Makes a member of an object. */
  readonly member: (object: KubeObject) => object
}

/** The answer to one request. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ApiBody
}

const NO_HEADERS: Readonly<Record<string, string>> = {}

export function jsonResponse(
  value: unknown,
  status: number = 200,
  headers: ApiResponse['headers'] = NO_HEADERS,
): ApiResponse {
  return { status, headers, body: { type: 'json', value } }
}

/** All of a list at once. */
export function wholeList({ head, field, objects, member }: ListBody): object {
  return { ...head, [field]: objects.map(member) }
}

export function textResponse(text: string, status: number = 200): ApiResponse {
  return { status, headers: NO_HEADERS, body: { type: 'text', text } }
}

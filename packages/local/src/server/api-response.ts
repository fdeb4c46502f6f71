/** An event of a watch as the server hands it out. */
export interface ServerEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: unknown
}

/** What an answer consists of, before a transport turns it into what its client reads. */
type ApiBody =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bytes'; readonly chunks: AsyncIterable<Uint8Array> }
  /** All events that wait are handed over at once. */
  | { readonly type: 'events'; readonly batches: AsyncIterable<readonly ServerEvent[]> }

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

export function textResponse(text: string, status: number = 200): ApiResponse {
  return { status, headers: NO_HEADERS, body: { type: 'text', text } }
}

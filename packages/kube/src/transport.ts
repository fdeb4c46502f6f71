/**
 * The port between a client and an API server: one request, one answer. `httpTransport` speaks to a real server over
 * a keep-alive pool; an embedded server implements it in process, without sockets and without text.
 *
 * Rejects with `ConnectionError` when no answer came; an answer of any status resolves.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>
  close(): Promise<void>
}

/** One HTTP request. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Escaped path without query, for example `/api/v1/namespaces/default/pods`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value; the transport writes the text. The receiver must not change it, nor keep it without a copy. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** The answer stays open (a watch, a followed log): it takes no place in the bounded pool. */
  readonly stream?: boolean
}

/** Read exactly one of `json`, `text`, `chunks`, `events`. */
export interface TransportResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  json(): Promise<unknown>
  text(): Promise<string>
  /** Raw bytes as they arrive (logs). */
  chunks(): AsyncIterable<Uint8Array>
  /** One JSON value a line, as it arrives (watches). */
  events(): AsyncIterable<unknown>
}

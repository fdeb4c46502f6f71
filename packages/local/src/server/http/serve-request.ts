import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TransportRequest } from '@trainjob/kube'
import type { ApiResponse } from '../api-response.ts'
import { type ApiServer, failureResponse } from '../api-server.ts'
import { methodNotAllowed } from '../failures.ts'
import { acceptedFormat, type Format } from './accepted-format.ts'
import type { Guard } from './guard.ts'
import { present } from './present.ts'
import { readBody } from './read-body.ts'
import { type Delivery, writeResponse } from './write-response.ts'

/** What serving a request over HTTP needs. */
export interface RequestContext extends Delivery {
  readonly apiServer: ApiServer
  readonly guard: Guard
  /** Ends every answer that is still open. */
  readonly closing: AbortSignal
}

const METHODS = new Set<string>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Reads a request, has it served and writes the answer. Never rejects. */
export async function serveRequest(
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // writes are done to their end, whoever waits for them
  const leaving = request.method === 'GET' ? endWith(response, context.closing) : undefined
  try {
    const { answer, format } = await answerTo(context, request, leaving?.signal)
    // what is left of a body that nobody reads would be taken for the next request
    if (!request.complete) response.setHeader('connection', 'close')
    await writeResponse(await present(answer, format), response, context, format.gzip)
    if (!request.complete) request.destroy()
  } catch {
    // the answer broke off: the reader sees a broken stream, as it must
    response.destroy()
  } finally {
    leaving?.release()
  }
}

/** A signal that aborts when the reader goes or the server closes. */
function endWith(response: ServerResponse, closing: AbortSignal): { signal: AbortSignal; release(): void } {
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  closing.addEventListener('abort', leave, { once: true })
  return {
    signal: gone.signal,
    release() {
      response.off('close', leave)
      closing.removeEventListener('abort', leave)
    },
  }
}

async function answerTo(
  { apiServer, guard }: RequestContext,
  request: IncomingMessage,
  signal: AbortSignal | undefined,
): Promise<{ answer: ApiResponse; format: Format }> {
  let format = PLAIN
  try {
    const caller = guard(request.headers)
    const { method = '', url = '/' } = request
    if (!METHODS.has(method)) throw methodNotAllowed()
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? {} : queryOf(url.slice(mark + 1))
    // documents and texts are written in one way only
    if (path.startsWith('/api')) format = acceptedFormat(request.headers, query)
    const { value: body, duplicates } = await readBody(request).catch((error) => {
      // what is not served is no question of how its body is written
      apiServer.checkPath(path)
      throw error
    })
    const answer = await apiServer.handle(
      {
        method: method as TransportRequest['method'],
        path,
        query,
        headers: request.headers as Record<string, string>,
        ...(signal !== undefined && { signal }),
        ...(body !== undefined && { body }),
      },
      caller,
      duplicates,
    )
    await apiServer.settled()
    return { answer, format }
  } catch (error) {
    return { answer: failureResponse(error), format }
  }
}

const PLAIN: Format = { syntax: 'json', pretty: false, gzip: false }

/** Of parameters given twice the first counts. */
function queryOf(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}

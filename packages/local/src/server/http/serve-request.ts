import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TransportRequest } from '@trainjob/kube'
import type { ApiResponse } from '../api-response.ts'
import { type ApiServer, failureResponse } from '../api-server.ts'
import { methodNotAllowed } from '../failures.ts'
import type { Guard } from './guard.ts'
import { readBody } from './read-body.ts'
import { type EventDelivery, writeResponse } from './write-response.ts'

/** What serving a request over HTTP needs. */
export interface RequestContext extends EventDelivery {
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
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  context.closing.addEventListener('abort', leave, { once: true })
  try {
    const answer = await answerTo(context, request, gone.signal)
    // what is left of a body that nobody reads would be taken for the next request
    if (!request.complete) response.setHeader('connection', 'close')
    await writeResponse(answer, response, context)
    if (!request.complete) request.destroy()
  } catch {
    // the answer broke off: the reader sees a broken stream, as it must
    response.destroy()
  } finally {
    response.off('close', leave)
    context.closing.removeEventListener('abort', leave)
  }
}

async function answerTo(
  { apiServer, guard }: RequestContext,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<ApiResponse> {
  try {
    const caller = guard(request.headers)
    const { method = '', url = '/' } = request
    if (!METHODS.has(method)) throw methodNotAllowed()
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const body = await readBody(request).catch((error) => {
      // what is not served is no question of how its body is written
      apiServer.checkPath(path)
      throw error
    })
    const answer = await apiServer.handle(
      {
        method: method as TransportRequest['method'],
        path,
        query: mark < 0 ? {} : queryOf(url.slice(mark + 1)),
        headers: request.headers as Record<string, string>,
        signal,
        ...(body !== undefined && { body }),
      },
      caller,
    )
    await apiServer.settled()
    return answer
  } catch (error) {
    return failureResponse(error)
  }
}

/** Of parameters given twice the first counts. */
function queryOf(text: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server of files for tests, and what it was asked. */
export interface StandIn {
  readonly url: string
  readonly authority: string
  /** Method, path and headers, in order. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/** Answers with a text or bytes (ranges included), an answer of its own, or 404 for `undefined`. */
export type StandInAnswer =
  | string
  | Buffer
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  /** Sends some bytes of the whole and breaks off. */
  | { readonly whole: Buffer; readonly breakAt: number }
  | undefined

export async function standIn(answer: (path: string, query: URLSearchParams) => StandInAnswer): Promise<StandIn> {
  const requests: StandIn['requests'] = []
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand.in')
    requests.push({ path: request.url ?? '', headers: request.headers })
    reply(request, response, answer(decodeURIComponent(url.pathname), url.searchParams))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    authority: `127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function reply(request: IncomingMessage, response: ServerResponse, answer: StandInAnswer): void {
  if (answer === undefined) {
    response.writeHead(404).end('no such thing')
    return
  }
  if (typeof answer === 'object' && 'status' in answer) {
    response.writeHead(answer.status, answer.headers).end(answer.body)
    return
  }
  const broken = typeof answer === 'object' && 'breakAt' in answer
  const whole = Buffer.from(broken ? answer.whole : answer)
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (from > 0 && from >= whole.length) {
    response.writeHead(416).end()
    return
  }
  const headers = { 'content-length': whole.length - from, etag: `"${whole.length}"` }
  if (from > 0) {
    response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` })
  } else response.writeHead(200, headers)
  if (!broken || from >= answer.breakAt) response.end(whole.subarray(from))
  else response.write(whole.subarray(from, answer.breakAt), () => setImmediate(() => response.destroy()))
}

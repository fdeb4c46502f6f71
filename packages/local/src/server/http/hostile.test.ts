import { Agent, request as httpsRequest } from 'node:https'
import { assert, asyncProperty } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../local-cluster.ts'
import { hostileRequests } from '../testing/hostile-requests.ts'
import { type TestServer, testServer } from '../testing/test-server.ts'
import { listen } from './listen.ts'

/** All of them with TEST_LONG=true. */
const RUNS = Number(process.env.TEST_RUNS ?? (process.env.TEST_LONG === 'true' ? 10_000 : 1000))
const HEAP_LIMIT_MB = 256

let at: TestServer
let listening: Listening
let agent: Agent
beforeAll(async () => {
  at = await testServer()
  listening = await listen(at.server)
  agent = new Agent({ keepAlive: true, maxSockets: 4, ca: listening.caCert, checkServerIdentity: () => undefined })
})
afterAll(async () => {
  agent.destroy()
  await listening.close()
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Status and text of the answer; 0 when the server hung up, as it may on bodies that are too large. */
function send({ method, path, headers, body }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(listening.url)
    // without its length the body of a DELETE would be taken for the next request
    const length = { 'content-length': String(body.length) }
    const all = { ...headers, ...length }
    const request = httpsRequest({ host: '127.0.0.1', port, agent, method, path, headers: all }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve({ status: 0, text: '' })
      else reject(error)
    })
    // nothing that asks to wait may wait long
    request.setTimeout(5000, () => request.destroy(new Error(`no answer to ${method} ${path}`)))
    request.end(body)
  })
}

describe('a hostile client', () => {
  it(
    `gets an answer that blames it, ${RUNS} times, and takes nothing with it`,
    async () => {
      const before = process.memoryUsage().heapUsed
      await assert(
        asyncProperty(hostileRequests, async ({ method, path, query, type, body, host, token }) => {
          const { status, text } = await send({
            method,
            path: path + query,
            body: method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : body,
            headers: {
              'content-type': type,
              authorization: token ?? `Bearer ${listening.token}`,
              host: host === '' ? new URL(listening.url).host : host,
            },
          })
          if (host !== '') expect([0, 403]).toContain(status)
          else if (token !== undefined) expect([0, 401]).toContain(status)
          else if (status >= 500) expect(text).toMatch(/typed patch object|ParseUint|should not be set|Too large/)
          else if (status !== 0) expect(status).toBeGreaterThanOrEqual(200)
        }),
        { numRuns: RUNS },
      )
      expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(HEAP_LIMIT_MB)
      const { status } = await send({
        method: 'GET',
        path: '/readyz',
        headers: { authorization: `Bearer ${listening.token}`, host: new URL(listening.url).host },
        body: Buffer.alloc(0),
      })
      expect(status).toBe(200)
      expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
    },
    10 * 60_000,
  )

  it.each([
    ['nested without end', 'application/json', '['.repeat(500_000), 400],
    [
      'nested in strings only',
      'application/json',
      `{"metadata":{"name":"ok"},"data":{"k":${JSON.stringify('[{"'.repeat(2000))}}}`,
      201,
    ],
    ['nested YAML', 'application/yaml', '['.repeat(5000), 400],
    ['too large', 'application/json', `{"a":"${'x'.repeat(4 << 20)}"}`, 413],
  ])('that sends what is %s is told so', async (_, type, body, expected) => {
    const { status } = await send({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      headers: {
        'content-type': type,
        authorization: `Bearer ${listening.token}`,
        host: new URL(listening.url).host,
        connection: 'close',
      },
      body: Buffer.from(body),
    })
    // the answer may be lost when the rest of a large body is not read
    expect([expected, ...(expected === 413 ? [0] : [])]).toContain(status)
  })
})

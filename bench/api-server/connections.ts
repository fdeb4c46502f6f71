import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import type { HostileRequest } from '../../packages/local/src/server/testing/hostile-requests.ts'
import type { ServerAddress } from './server.ts'

/** A client that keeps its connections open, and does as little as it can with what it gets. */
export interface Connections {
  /** Resolves with the body when the answer has come whole. Rejects unless its status is the expected one. */
  request(method: string, path: string, expected: number, body?: Buffer, accept?: string): Promise<Buffer>
  /** Resolves when the server has answered, or hung up. */
  disturb(request: HostileRequest): Promise<void>
  /** Resolves when the server has agreed to a watch. */
  watch(path: string): Promise<Watching>
}

/** One watch, on a connection of its own. */
export interface Watching {
  /** Resolves when so many more events have come. */
  events(count: number): Promise<void>
  close(): void
}

/** Over TLS, HTTP/1.1, without compression. */
export function openConnections({ url, ca, token }: ServerAddress): Connections {
  const { hostname: host, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, ca })
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'bench/1' }
  return {
    request: (method, path, expected, body, accept = 'application/json') =>
      new Promise((resolve, reject) => {
        const content = body && { 'content-type': 'application/json', 'content-length': body.length }
        const options: RequestOptions = { host, port, agent, method, path, headers: { ...headers, ...content, accept } }
        const sent = httpsRequest(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const all = Buffer.concat(chunks)
            if (response.statusCode === expected) resolve(all)
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${all.toString().slice(0, 1000)}`))
          })
        })
        sent.on('error', reject)
        sent.end(body)
      }),
    disturb: ({ method, path, query, type, body, host: named, token: shown }) =>
      new Promise((resolve) => {
        const content = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : body
        const own = {
          'content-type': type,
          'content-length': content.length,
          authorization: shown ?? headers.authorization,
          host: named === '' ? `${host}:${port}` : named,
        }
        const sent = httpsRequest({ host, port, agent, method, path: path + query, headers: own }, (response) => {
          response.on('error', () => resolve())
          response.on('end', () => resolve())
          response.resume()
        })
        // one of them might be a watch, which has no end
        sent.setTimeout(PATIENCE_MS, () => sent.destroy())
        sent.on('error', () => resolve())
        sent.on('close', () => resolve())
        sent.end(content)
      }),
    watch: (path) =>
      new Promise((resolve, reject) => {
        let [seen, wanted] = [0, Number.POSITIVE_INFINITY]
        let enough = (): void => {}
        const sent = httpsRequest({ host, port, agent, path, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`watch ${path}: ${response.statusCode}`))
          response.on('data', (chunk: Buffer) => {
            for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) seen++
            if (seen >= wanted) enough()
          })
          response.on('error', () => {}) // it is cut when it is closed
          resolve({
            events: (count) =>
              new Promise((done) => {
                wanted = count
                enough = done
                if (seen >= wanted) done()
              }),
            close: () => sent.destroy(),
          })
        })
        sent.on('error', reject)
        sent.end()
      }),
  }
}

const NEWLINE = 10
const PATIENCE_MS = 5000

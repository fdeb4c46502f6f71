import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { createClient } from '../create-client.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { type LoopbackServer, loopbackServer } from '../testing/loopback-server.suite.ts'
import { Things } from '../testing/memory-server.suite.ts'
import { type SocketConfig, socketTransport } from './socket-transport.ts'
import { describeTransport } from './transport-contract.suite.ts'

const KEY = { namespace: 'ns', name: 'one' }
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'kube-'))
  cleanups.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

async function serve(listener: RequestListener): Promise<LoopbackServer> {
  const server = await loopbackServer(listener, undefined, join(await folder(), 'api.sock'))
  cleanups.push(() => server.close())
  return server
}

function connect(config: SocketConfig, clock: Clock = fakeClock()): Client {
  const client = createClient(socketTransport(config, { clock }))
  cleanups.push(() => client.close())
  return client
}

describe.skipIf(process.platform === 'win32')('over a unix socket', () => {
  describeTransport(async (listener, clock) => {
    const server = await serve(listener)
    return { server, client: connect({ socket: server.url }, clock) }
  }, /there is no such socket: is the server running\?.*ENOENT/)

  test('the token and the name of the client are sent', async () => {
    const seen: unknown[] = []
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers['user-agent'])
      response.end('{}')
    })
    await connect({ socket: server.url, token: 'secret', userAgent: 'me' }).get(Things, KEY)
    expect(seen).toEqual(['Bearer secret', 'me'])
  })

  test('a file that is no socket says that nothing listens', async () => {
    const socket = join(await folder(), 'api.sock')
    await writeFile(socket, '')
    await expect(connect({ socket }).get(Things, KEY)).rejects.toThrow(/nothing listens there.*ECONNREFUSED/)
  })

  test('a closed client answers nothing more', async () => {
    const server = await serve((_, response) => response.end('{}'))
    const client = connect({ socket: server.url })
    await client.get(Things, KEY)
    await client.close()
    await expect(client.get(Things, KEY)).rejects.toThrow('the client has been closed')
    await expect.poll(() => server.open).toBe(0)
  })
})

import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Pod } from '@trainjob/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedPorts } from './opened-stream.ts'
import { writeFrame } from './spdy/write-frame.ts'
import { serveSpdyPorts } from './spdy-ports-session.ts'
import { type ClientStream, type SpdyClient, spdyClient } from './testing/spdy-client.ts'

let server: Server
let port: number
let accepted: Socket[]
let client: SpdyClient
let served: Promise<void>

beforeEach(async () => {
  accepted = []
  server = createServer({ allowHalfOpen: true }, (socket) => {
    accepted.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => socket.write(chunk))
    socket.on('end', () => socket.end('.'))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as { port: number }).port
  client = spdyClient()
  served = serveSpdyPorts(client.link, opened)
})
afterEach(async () => {
  client.close()
  await served
  for (const socket of accepted) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

const opened: OpenedPorts = {
  kind: 'portforward',
  pod: { metadata: { name: 'p', uid: 'u1' }, spec: {} } as Pod,
  ports: [],
  connect: (at, signal) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: at, signal, allowHalfOpen: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(socket))
    }),
}

let requests = 0

/** As kubectl opens them: the error stream first, which it ends at once. */
async function forwarded(to: number): Promise<{ data: ClientStream; error: ClientStream }> {
  const headers = { port: String(to), requestid: String(requests++) }
  const error = await client.open({ ...headers, streamtype: 'error' }, true)
  const data = await client.open({ ...headers, streamtype: 'data' })
  await Promise.all([error.replied, data.replied])
  return { data, error }
}

describe('port-forward over SPDY', () => {
  it('leads several connections to a port, and ends each by itself', async () => {
    const one = await forwarded(port)
    const two = await forwarded(port)
    two.data.send('two')
    one.data.send('one', true)
    expect(await one.data.ended).toBe('fin')
    expect(await one.error.ended).toBe('fin')
    expect([one.data.text(), one.error.text()]).toEqual(['one.', ''])
    two.data.send('!', true)
    await two.data.ended
    expect(two.data.text()).toBe('two!.')
  })

  it('carries megabytes both ways, unchanged', async () => {
    const { data } = await forwarded(port)
    const block = Buffer.alloc(100_000, 'trainjob')
    for (let count = 0; count < 60; count++) data.send(block)
    data.send('', true)
    await data.ended
    expect(data.text() === `${block.toString().repeat(60)}.`).toBe(true)
  })

  it('says that nobody listens, and goes on', async () => {
    const { data, error } = await forwarded(1)
    await Promise.all([data.ended, error.ended])
    expect(error.text()).toMatch(/^error forwarding port 1 to pod p, uid u1: connect ECONNREFUSED/)
    const next = await forwarded(port)
    next.data.send('on', true)
    await next.data.ended
    expect(next.data.text()).toBe('on.')
  })

  it('leaves the port when the user does', async () => {
    const { data } = await forwarded(port)
    data.send('x')
    await expect.poll(() => data.text()).toBe('x')
    const gone = new Promise((resolve) => accepted[0]?.once('close', resolve))
    data.reset()
    accepted[0]?.end()
    await gone
  })

  it('leaves every port when the connection ends', async () => {
    await forwarded(port)
    await expect.poll(() => accepted.length).toBe(1)
    const ended = new Promise((resolve) => accepted[0]?.once('end', resolve))
    client.close()
    await Promise.all([served, ended])
  })

  it.each([
    ['of an unknown kind', { streamtype: 'status', port: '80', requestid: 'r' }],
    ['without a port', { streamtype: 'data', requestid: 'r' }],
    ['to a port that cannot be', { streamtype: 'data', port: '70000', requestid: 'r' }],
  ])('resets a stream %s', async (_, headers) => {
    const stream = await client.open(headers)
    expect(await stream.ended).toBe(5)
  })

  it('answers pings, and ignores what it need not know', async () => {
    client.sendRaw(writeFrame({ type: 'settings' }))
    client.sendRaw(writeFrame({ type: 'window-update', streamId: 1, delta: 5 }))
    client.sendRaw(writeFrame({ type: 'ping', id: 2 }))
    client.sendRaw(writeFrame({ type: 'ping', id: 7 }))
    await expect.poll(() => client.pongs).toEqual([7])
  })

  it('opens no stream any more after a farewell', async () => {
    const { data } = await forwarded(port)
    client.sendRaw(writeFrame({ type: 'goaway', lastStreamId: 0, status: 0 }))
    await client.open({ streamtype: 'data', port: String(port), requestid: 'late' })
    data.send('still', true)
    await data.ended
    expect(data.text()).toBe('still.')
    expect(accepted).toHaveLength(1)
  })

  it('ends a connection that is no SPDY', async () => {
    client.sendRaw(Buffer.from('GET / HTTP/1.1\r\n\r\n\x80\x02\x00\x01\x00\x00\x00\x00'.padStart(40, '\x80'), 'latin1'))
    expect(await client.goaway).toBe(1)
    await served
  })

  it('ends a connection whose headers are no headers', async () => {
    client.sendRaw(writeFrame({ type: 'syn-stream', streamId: 1, fin: false, block: Buffer.from('junk') }))
    expect(await client.goaway).toBe(1)
    await served
  })
})

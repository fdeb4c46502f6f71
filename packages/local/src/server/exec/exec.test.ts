import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pod, Pods } from '@trainjob/api'
import { systemClock } from '@trainjob/kube'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Listening } from '../../local-cluster.ts'
import { podAdmission } from '../../node/admission.ts'
import { createNodeAgent, type NodeAgent } from '../../node/agent.ts'
import { listen } from '../http/listen.ts'
import { type TestServer, testServer } from '../testing/test-server.ts'
import type { StreamSource } from './stream-source.ts'

let at: TestServer
let agent: NodeAgent
let listening: Listening
let dir: string
let ended: Promise<void>
const alive = setInterval(() => {}, 2 ** 30)

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tj-exec-'))
  const streams: StreamSource = {
    exec: (...call) => agent.streams.exec(...call),
    attach: (...call) => agent.streams.attach(...call),
    connect: (...call) => agent.streams.connect(...call),
  }
  at = await testServer({
    hooks: [podAdmission() as never],
    logs: { open: (...call) => agent.logs.open(...call) },
    streams,
  })
  agent = createNodeAgent({ client: at.client, clock: systemClock, dir, onNote() {} })
  ended = agent.start(new AbortController().signal)
  listening = await listen(at.server)
  await run('p', [{ name: 'node', command: ['sh', '-c', 'echo up; cat; sleep 100'], stdin: true }], { V: 'env' })
  await run('two', [
    { name: 'a', command: ['sleep', '100'] },
    { name: 'b', command: ['sleep', '100'] },
  ])
  await at.client.create(Pods, pod('unbound', [{ name: 'node' }], {}, ''))
})
afterAll(async () => {
  await listening.close()
  await agent.stop({ graceMs: 0 })
  await ended
  clearInterval(alive)
  await rm(dir, { recursive: true, force: true })
})

function pod(
  name: string,
  containers: Pod['spec']['containers'],
  env: Record<string, string>,
  nodeName = 'local',
): Pod {
  const variables = Object.entries(env).map(([key, value]) => ({ name: key, value }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name },
    spec: {
      ...(nodeName !== '' && { nodeName }),
      restartPolicy: 'Never',
      containers: containers.map((container) => ({ ...container, env: variables })),
    },
  }
}

async function run(
  name: string,
  containers: Pod['spec']['containers'],
  env: Record<string, string> = {},
): Promise<void> {
  await at.client.create(Pods, pod(name, containers, env))
  // `expect.poll` is for tests only
  while ((await at.client.get(Pods, { namespace: 'default', name })).status?.phase !== 'Running') {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

interface Session {
  readonly socket: WebSocket
  /** Text by channel so far. */
  readonly text: (channel: number) => string
  send(channel: number, text: string): void
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  status(): { status: string; reason?: string; message?: string; details?: { causes: { message: string }[] } }
}

function open(path: string, protocol = 'v5.channel.k8s.io'): Promise<Session> {
  const socket = new WebSocket(
    `${listening.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/${path}`,
    protocol,
    {
      ca: listening.caCert,
      headers: { authorization: `Bearer ${listening.token}` },
    },
  )
  const channels = new Map<number, string>()
  socket.on('message', (data: Buffer) => {
    const channel = data[0] as number
    channels.set(channel, (channels.get(channel) ?? '') + data.subarray(1).toString('latin1'))
  })
  const text = (channel: number): string => channels.get(channel) ?? ''
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const session: Session = {
    socket,
    text,
    closed,
    send: (channel, content) => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(content)])),
    status: () => JSON.parse(text(3)),
  }
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(session))
    socket.once('error', reject)
  })
}

const command = (...words: string[]): string => words.map((word) => `command=${encodeURIComponent(word)}`).join('&')

describe('exec', () => {
  it.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])('runs a command in the container (%s)', async (protocol) => {
    const session = await open(`p/exec?${command('sh', '-c', 'echo $V; echo e >&2')}&stdout=true&stderr=true`, protocol)
    expect(await session.closed).toBe(1000)
    expect(session.socket.protocol).toBe(protocol)
    expect([session.text(1), session.text(2)]).toEqual(['env\n', 'e\n'])
    expect(session.status()).toEqual({ metadata: {}, status: 'Success' })
  })

  it('reports the exit code as kubectl reads it', async () => {
    const session = await open(`p/exec?${command('sh', '-c', 'exit 3')}&stdout=1`)
    await session.closed
    expect(session.status()).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    })
  })

  it('says that a command does not exist', async () => {
    const session = await open(`p/exec?${command('no-such-program')}&stdout=True`)
    await session.closed
    expect(session.status()).toMatchObject({
      reason: 'InternalError',
      message: expect.stringContaining('no-such-program: not found on PATH'),
    })
  })

  it('hands over what is sent, until its end is said', async () => {
    const session = await open(`p/exec?${command('cat')}&stdin=true&stdout=true`)
    session.send(0, 'one\n')
    await expect.poll(() => session.text(1)).toBe('one\n')
    session.send(0, 'two')
    session.socket.send(Buffer.of(255, 0))
    await session.closed
    expect(session.text(1)).toBe('one\ntwo')
    expect(session.status().status).toBe('Success')
  })

  it('carries megabytes both ways, unchanged', async () => {
    const session = await open(`p/exec?${command('cat')}&stdin=true&stdout=true`)
    const block = Buffer.alloc(100_000, 'trainjob')
    for (let count = 0; count < 60; count++) session.socket.send(Buffer.concat([Buffer.of(0), block]))
    session.socket.send(Buffer.of(255, 0))
    await session.closed
    expect(session.text(1) === block.toString().repeat(60)).toBe(true)
  })

  it('ends the command when its user goes', async () => {
    const session = await open(`p/exec?${command('sh', '-c', 'echo $$; exec sleep 100')}&stdout=true`)
    await expect.poll(() => session.text(1)).toMatch(/^\d+\n$/)
    const pid = Number(session.text(1))
    session.socket.terminate()
    await expect
      .poll(() => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
      .toBe(false)
  })

  it("gives a command a terminal, which has the size of its user's", async () => {
    const session = await open(`p/exec?${command('sh')}&stdin=true&stdout=true&tty=true`)
    session.send(4, '{"Width":91,"Height":33}\n')
    session.send(0, 'while [ "$(stty size)" != "33 91" ]; do sleep 0.01; done; tty; echo a\u007fb $TERM\r')
    await expect.poll(() => session.text(1)).toMatch(/\/dev\/\S+\r\nb xterm\r\n/)
    session.send(0, '\u0004')
    await session.closed
    expect(session.status().status).toBe('Success')
  })

  it('ends at Ctrl-C', async () => {
    const session = await open(
      `p/exec?${command('sh', '-c', 'echo on; exec sleep 100')}&stdin=true&stdout=true&tty=true`,
    )
    await expect.poll(() => session.text(1)).toContain('on')
    session.send(0, '\u0003')
    await session.closed
    expect(session.status().details?.causes[0]?.message).toBe('130')
  })

  it.each([
    ['a pod that is missing', `nope/exec?${command('true')}&stdout=true`, 404],
    ['a pod without a node', `unbound/exec?${command('true')}&stdout=true`, 400],
    ['no container where there are several', `two/exec?${command('true')}&stdout=true`, 400],
    ['a container that is missing', `p/exec?container=zz&${command('true')}&stdout=true`, 400],
    ['no command', 'p/exec?stdout=true', 400],
    ['no stream', `p/exec?${command('true')}`, 400],
    ['a log', 'p/log', 400],
  ])('refuses %s before the upgrade', async (_, path, code) => {
    await expect(open(path)).rejects.toThrow(`Unexpected server response: ${code}`)
  })

  it('refuses whoever has no token', async () => {
    const socket = new WebSocket(`${listening.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/p/exec`, {
      ca: listening.caCert,
    })
    const failure = new Promise((resolve) => socket.once('error', resolve))
    expect(await failure).toMatchObject({ message: 'Unexpected server response: 401' })
  })

  it.each([
    [
      'SPDY of a protocol that tells no exit code',
      'POST',
      `p/exec?${command('true')}&stdout=true`,
      { connection: 'upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v2.channel.k8s.io' },
      /SPDY\/3\.1 with v4\.channel\.k8s\.io, found SPDY\/3\.1 v2\.channel\.k8s\.io/,
    ],
    ['a plain request', 'GET', `p/exec?${command('true')}&stdout=true`, {}, /Upgrade request required/],
    [
      'port-forward over SPDY of another protocol',
      'POST',
      'p/portforward',
      { connection: 'upgrade', upgrade: 'SPDY/3.1' },
      /SPDY\/3\.1 with portforward\.k8s\.io/,
    ],
  ])('refuses %s with what works', async (_, method, path, headers, message) => {
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = httpsRequest(
        `${listening.url}/api/v1/namespaces/default/pods/${path}`,
        {
          method,
          ca: listening.caCert,
          agent: false,
          headers: { authorization: `Bearer ${listening.token}`, ...headers },
        },
        (response) => {
          let body = ''
          response.on('data', (chunk) => (body += chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        },
      )
      request.on('error', reject)
      request.end()
    })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', message: expect.stringMatching(message) })
  })
})

describe('attach', () => {
  it('shows what the container prints and hands over what it reads', async () => {
    const session = await open('p/attach?stdin=true&stdout=true&stderr=true')
    session.send(0, 'hello\n')
    await expect.poll(() => session.text(1)).toContain('hello\n')
    session.socket.close()
    await session.closed
    expect((await at.client.get(Pods, { namespace: 'default', name: 'p' })).status?.phase).toBe('Running')
  })

  it('ends with the container', async () => {
    await run('short', [{ name: 'node', command: ['sh', '-c', 'read line; echo $line'], stdin: true }])
    const session = await open('short/attach?stdin=true&stdout=true')
    session.send(0, 'bye\n')
    expect(await session.closed).toBe(1000)
    expect(session.text(1)).toBe('bye\n')
    expect(session.status().status).toBe('Success')
  })
})

describe('port-forward', () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    port = (server.address() as { port: number }).port
  })
  afterAll(() => {
    server.close()
  })

  it('leads to a port of the pod', async () => {
    const session = await open(`p/portforward?ports=${port}`, 'v4.channel.k8s.io')
    session.send(0, 'ping')
    const number = Buffer.from([port & 255, port >> 8]).toString('latin1')
    await expect.poll(() => session.text(0)).toBe(`${number}ping`)
    expect(session.text(1)).toBe(number)
    session.socket.close()
    await session.closed
  })

  it('says that nobody listens', async () => {
    const session = await open('p/portforward?ports=1', 'v4.channel.k8s.io')
    await session.closed
    expect(session.text(1).slice(2)).toMatch(/error forwarding port 1 to pod p: .*ECONNREFUSED/)
  })
})

it('closes open sessions with the listener', async () => {
  const other = await listen(at.server)
  const socket = new WebSocket(
    `${other.url.replace('https', 'wss')}/api/v1/namespaces/default/pods/p/exec?${command('sleep', '100')}&stdout=true`,
    'v5.channel.k8s.io',
    { ca: other.caCert, headers: { authorization: `Bearer ${other.token}` } },
  )
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  await other.close()
  await closed
})

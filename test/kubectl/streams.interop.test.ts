import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { runProgram } from '../run-program.ts'
import { type Kubectl, kubectlOf } from './kubectl.ts'
import { type ServedCluster, serveCluster } from './served-cluster.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: streams of kubectl. ${built.missing}\n`)

/** Answers each line in capitals, and says which address it was reached at. */
const SERVER = `
require('node:net').createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (chunk) => socket.write(String(chunk).toUpperCase()))
}).listen(8321, process.env.POD_IP)`

function pod(name: string, command: readonly string[], more: object = {}) {
  const env = [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }]
  const containers = [{ name: 'c', image: 'none', command, env, ...more }]
  const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }
}

/** One exchange over a connection of its own. */
function ask(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
      if (answer.length >= text.length) socket.end()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

describe.skipIf('missing' in built)('kubectl', () => {
  let cluster: ServedCluster
  let bin: string
  let kubectl: Kubectl
  beforeAll(async () => {
    bin = (built as BuiltControlPlane).bin
    cluster = await serveCluster()
    kubectl = kubectlOf(bin, cluster, 'default')
    await kubectl.send(
      ['apply'],
      pod('server', [process.execPath, '-e', SERVER], {
        readinessProbe: { tcpSocket: { port: 8321 }, periodSeconds: 1 },
      }),
    )
    await kubectl.send(['apply'], pod('shell', ['sleep', '1000']))
    await kubectl.send(
      ['apply'],
      pod('reader', ['sh', '-c', 'while read word; do echo "read $word"; done'], { stdin: true, tty: true }),
    )
    await kubectl('wait', '--for=condition=Ready', 'pods', '--all', '--timeout=30s')
  })
  afterAll(() => cluster?.close())

  describe.each([
    ['WebSockets', {}],
    ['SPDY, as before 1.31', { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false', KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' }],
  ])('over %s', (_, env) => {
    /** Forwards ports while `use` runs. */
    async function forward(
      ports: readonly string[],
      use: (local: readonly number[]) => Promise<void>,
    ): Promise<{ stdout: string; stderr: string }> {
      const ending = new AbortController()
      let tell: (ports: number[]) => void = () => {}
      const opened = new Promise<number[]>((resolve) => (tell = resolve))
      const ended = kubectl.run(['port-forward', '--address=127.0.0.1', 'pod/server', ...ports], {
        env,
        signal: ending.signal,
        until(text) {
          const found = [...text.matchAll(/Forwarding from 127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
          if (found.length === ports.length) tell(found)
          return false
        },
      })
      try {
        const local = await Promise.race([opened, ended])
        if (!Array.isArray(local)) throw new Error(`kubectl port-forward has ended: ${local.stderr}`)
        await use(local)
      } finally {
        ending.abort()
      }
      return await ended
    }

    it('port-forward leads many connections to a port of the pod', async () => {
      await forward([':8321'], async ([port = 0]) => {
        const texts = Array.from({ length: 12 }, (_, place) => `${'a'.repeat(50_000)}${place}`)
        const answers = await Promise.all(texts.map((text) => ask(port, text)))
        expect(answers).toEqual(texts.map((text) => text.toUpperCase()))
        expect(await ask(port, 'again')).toBe('AGAIN')
      })
    })

    it('port-forward says that nobody listens', async () => {
      const { stderr } = await forward([':8321', ':9'], async ([good = 0, bad = 0]) => {
        expect(await ask(good, 'on')).toBe('ON')
        expect(await ask(bad, 'x').catch(() => '')).toBe('')
      })
      expect(stderr).toMatch(
        /an error occurred forwarding \d+ -> 9: error forwarding port 9 to pod server, uid .*ECONNREFUSED/,
      )
      expect(stderr).toContain('error: lost connection to pod')
    })

    it('exec carries input, output and the exit code', async () => {
      const run = (args: readonly string[], input = '') => kubectl.run(['exec', ...args], { env, input })
      expect(await run(['shell', '--', 'sh', '-c', 'echo out; echo err >&2; exit 4'])).toEqual({
        code: 4,
        stdout: 'out\n',
        stderr: 'err\ncommand terminated with exit code 4\n',
      })
      const much = 'to and fro\n'.repeat(200_000)
      const fed = await run(['-i', 'shell', '--', 'cat'], much)
      expect([fed.code, fed.stdout === much]).toEqual([0, true])
      expect((await run(['shell', '--', 'no-such-program'])).stderr).toContain('no-such-program: not found on PATH')
      expect((await run(['nope', '--', 'true'])).stderr).toContain('pods "nope" not found')
    })

    it('cp copies folders both ways', async () => {
      const from = path.join(cluster.dir, 'from')
      const inside = path.join(cluster.dir, 'inside')
      const back = path.join(cluster.dir, 'back')
      await mkdir(path.join(from, 'sub'), { recursive: true })
      await writeFile(path.join(from, 'sub/file'), 'x'.repeat(300_000))
      for (const args of [
        [from, `shell:${inside}`],
        [`shell:${inside}`, back],
      ]) {
        const ended = await kubectl.run(['cp', ...args], { env })
        expect(ended.code, ended.stderr).toBe(0)
      }
      expect(await readFile(path.join(back, 'sub/file'), 'utf8')).toBe('x'.repeat(300_000))
    })
  })

  describe('at a terminal', () => {
    /** A terminal of this machine for kubectl; what is typed comes `input`. */
    const atTerminal = (args: string, input: string) =>
      runProgram('script', ['-qefc', `stty rows 37 cols 91; ${path.join(bin, 'kubectl')} ${args}`, '/dev/null'], {
        env: { PATH: process.env.PATH, HOME: cluster.dir, KUBECONFIG: cluster.kubeconfig, SHELL: '/bin/sh' },
        input,
      })

    it('exec has its size, and the exit code', async () => {
      const command = 'until [ "$(stty size)" = "37 91" ]; do sleep 0.05; done; tty; echo $TERM; exit 5'
      const { code, stdout } = await atTerminal(`exec -it shell -- sh -c '${command}'`, '')
      expect(stdout).toMatch(/\/dev\/\S+\r\nxterm\r\n/)
      expect(code).toBe(5)
    })

    it('attach types into the container and shows what it prints', async () => {
      const { stdout } = await atTerminal('attach -it reader', 'word\n')
      expect(stdout).toContain('read word')
      await kubectl('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/reader', '--timeout=30s')
    })
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { ConfigMaps, type Container, Pods } from '@trainjob/api'
import { type LocalCluster, openSqliteStore, startCluster } from '@trainjob/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedCluster, serveCluster } from '../kubectl/served-cluster.ts'
import { runProgram } from '../run-program.ts'
import { pythonEnvironment, systemTorch } from './environment.ts'

const python = await pythonEnvironment()
const withoutTorch = await systemTorch()
for (const answer of [python, withoutTorch]) {
  if (typeof answer === 'object')
    process.stderr.write(`NOT RUN: Python clients on the embedded cluster. ${answer.missing}\n`)
}

const script = (name: string) => path.join(import.meta.dirname, name)
const MINUTES = 60_000

describe.skipIf(typeof python === 'object')('Python', () => {
  const interpreter = python as string

  describe('against a cluster', () => {
    let cluster: ServedCluster
    let env: Record<string, string | undefined>
    beforeAll(async () => {
      cluster = await serveCluster()
      env = { PATH: process.env.PATH, HOME: cluster.dir, KUBECONFIG: cluster.kubeconfig, PYTHONDONTWRITEBYTECODE: '1' }
    })
    afterAll(() => cluster?.close())

    async function jsonOf(name: string): Promise<unknown> {
      const { code, stdout, stderr } = await runProgram(interpreter, [script(name)], { env, timeoutMs: 4 * MINUTES })
      expect(code, stderr).toBe(0)
      expect(stderr).not.toContain('version info is not available')
      return JSON.parse(stdout)
    }

    it.skipIf(withoutTorch !== undefined)(
      'trains a function on two nodes whose gradients meet',
      async () => {
        expect(await jsonOf('train.py')).toEqual({
          runtimes: expect.objectContaining({ 'torch-distributed': 'torch' }),
          listed: true,
          status: 'Complete',
          nodes: 2,
          steps: { 'node-0': 'Succeeded', 'node-1': 'Succeeded' },
          followed: {
            'node-0': [expect.stringMatching(/rank=[01] size=2 weight=3\.00$/)],
            'node-1': [expect.stringMatching(/rank=[01] size=2 weight=3\.00$/)],
          },
          events: expect.arrayContaining(['AllJobsCompleted', 'Scheduled', 'Started']),
          deleted: expect.stringContaining('Failed to get TrainJob'),
        })
      },
      5 * MINUTES,
    )

    /** Runs a pod, and waits until it is ready. */
    async function ready(name: string, container: Partial<Container>): Promise<void> {
      await cluster.client.create(Pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default' },
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'none', ...container }] },
      })
      await expect
        .poll(async () => (await cluster.client.get(Pods, { namespace: 'default', name })).status?.conditions)
        .toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }))
    }

    it('runs commands in pods', async () => {
      await ready('shell', { command: ['sleep', '300'] })
      expect(await jsonOf('exec.py')).toEqual({
        fine: { out: 'hi\n', err: '', code: 0 },
        failed: { out: '', err: 'no\n', code: 7 },
      })
    })

    it('reaches ports of pods', async () => {
      const server = `require('node:net').createServer((s) => s.on('data', (d) => s.write('got ' + d))).listen(8323, process.env.IP)`
      await ready('server', {
        command: [process.execPath, '-e', server],
        env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
        readinessProbe: { tcpSocket: { port: 8323 }, periodSeconds: 1 },
      })
      expect(await jsonOf('port_forward.py')).toEqual({
        answer: 'got ping',
        nothing: '',
        error: expect.stringMatching(/^error forwarding port 9 to pod server: .*ECONNREFUSED/),
      })
    })
  })

  it('watches on when the server starts again', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-watch-'))
    let cluster: LocalCluster | undefined
    let port = 0
    const start = async () => {
      const store = await openSqliteStore(path.join(dir, 'objects.db'))
      cluster = await startCluster({ dir: path.join(dir, 'run'), store })
      const { url, kubeconfig } = await cluster.listen({ port, credentialsDir: dir })
      port = Number(new URL(url).port)
      await writeFile(path.join(dir, 'kubeconfig'), kubeconfig(), { mode: 0o600 })
      return cluster.client
    }
    const map = (name: string, data: Record<string, string>) => ({
      apiVersion: 'v1' as const,
      kind: 'ConfigMap' as const,
      metadata: { name, namespace: 'default' },
      data,
    })
    let watcher: ReturnType<typeof spawn> | undefined
    try {
      let client = await start()
      await client.create(ConfigMaps, map('before', { a: '1' }))
      watcher = spawn(interpreter, [script('watch.py')], {
        env: { PATH: process.env.PATH, HOME: dir, KUBECONFIG: path.join(dir, 'kubeconfig') },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(watcher, 'exit')
      const lines: string[] = []
      const reader = createInterface({ input: watcher.stdout as NonNullable<typeof watcher.stdout> })
      reader.on('line', (line) => lines.push(line))
      const said = (line: string, times = 1) =>
        expect.poll(() => lines.filter((one) => one === line).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(times)
      await said('watching')
      await client.create(ConfigMaps, map('live', { b: '2' }))
      await said("ADDED live {'b': '2'}")

      await cluster?.stop()
      client = await start()
      await said('watching', 2)
      await client.create(ConfigMaps, map('end', { c: '3' }))
      await exited
      const again = lines.slice(lines.indexOf('watching') + 1)
      expect(again).toContain("listed before {'a': '1'}")
      expect(again).toContain("listed live {'b': '2'}")
      expect(lines.at(-1)).toBe("ADDED end {'c': '3'}")
      // no event twice, none for what was only listed
      expect(lines.filter((line) => line.startsWith('ADDED'))).toEqual([
        "ADDED live {'b': '2'}",
        "ADDED end {'c': '3'}",
      ])
    } finally {
      watcher?.kill('SIGKILL')
      await cluster?.stop()
      await rm(dir, { recursive: true, force: true })
    }
  })
})

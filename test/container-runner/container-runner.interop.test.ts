import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findEngine } from '../../packages/local/src/node/container-runner/find-engine.ts'
import { createReaper } from '../../packages/local/src/node/reaper/reaper.ts'
import { describeRunner } from '../../packages/local/src/node/runner.suite.ts'
import type { Runner } from '../../packages/local/src/node/runner.ts'
import { findTerminalHost } from '../../packages/local/src/node/terminal/terminal-host.ts'
import { inPhase, testNode } from '../../packages/local/src/node/testing/test-node.ts'
import { runProgram } from '../run-program.ts'
import { importToolImage } from './tool-image.ts'

const TRAINJOB = join(import.meta.dirname, '../../packages/cli/bin/trainjob.js')
const IMAGE = 'localhost/trainjob-runner-test:latest'
const settings = mkdtempSync(join(tmpdir(), 'tj-engine-'))
afterAll(() => rmSync(settings, { recursive: true, force: true }))

// In machines that are containers themselves, podman works with runc and lower limits only.
writeFileSync(
  join(settings, 'containers.conf'),
  '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\nruntime = "runc"\n',
)
const plain = { ...process.env }
const nested = { ...process.env, CONTAINERS_CONF: join(settings, 'containers.conf') }

/** An environment in which the engine runs containers, or why there is none. */
function workingEnv(engine: string): NodeJS.ProcessEnv | string {
  const attempt = (work: () => void): string | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      return String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim()
    }
  }
  let reason = attempt(() => importToolImage(engine, plain, IMAGE))
  if (reason !== undefined) return reason
  for (const env of engine === 'podman' ? [plain, nested] : [plain]) {
    const args = ['run', '--rm', '--network', 'host', IMAGE]
    reason = attempt(() => execFileSync(engine, args, { env, stdio: ['ignore', 'ignore', 'pipe'] }))
    if (reason === undefined) return env
  }
  return reason ?? ''
}

/** Whether a process of a container lives: `pid` is its number in there. */
function livesInContainer(pid: number): boolean {
  return readdirSync('/proc').some((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8')
      return new RegExp(`^NSpid:\\t\\d+\\t(?:\\d+\\t)*${pid}$`, 'm').test(status) && !/^State:\tZ/m.test(status)
    } catch {
      return false
    }
  })
}

let engines = 0
const terminal = findTerminalHost({ PATH: process.env.PATH ?? '' })
for (const name of ['podman', 'docker'] as const) {
  const env = workingEnv(name)
  if (typeof env === 'string') {
    describe(`runner: ${name}`, () => {
      it.skip(`does not work on this machine: ${env.split('\n').at(-1)}`, () => {})
    })
    console.warn(`The tests of the ${name} runner are left out: ${env}`)
    continue
  }
  const engine = await findEngine(name, env)
  const create = (): Runner => {
    const engineId = `test-${process.pid}-${engines++}`
    return engine.createRunner({ engineId, reaper: createReaper({ engineId }), terminals: () => terminal })
  }

  describeRunner(name, () => ({ runner: create(), isAlive: livesInContainer }), { image: IMAGE })

  describe(`images with ${name}`, () => {
    it('bring their own command', async () => {
      const runner = create()
      const printed: string[] = []
      const container = runner.start({
        id: 'own-command',
        argv: [],
        env: {},
        mounts: [],
        image: { name: IMAGE, pull: 'Never', replacesEntrypoint: false },
        onOutput: (_, chunk) => printed.push(chunk.toString()),
      })
      expect(await container.exit).toEqual({ code: 0 })
      expect(printed.join('')).toBe('from the image\n')
      await runner.close()
    })

    it('that are missing are a failure of the start', async () => {
      const runner = create()
      const container = runner.start({
        id: 'no-image',
        argv: ['true'],
        env: {},
        mounts: [],
        image: { name: 'localhost/no-such-image:latest', pull: 'Never', replacesEntrypoint: true },
        onOutput() {},
      })
      expect(await container.started).toBe(false)
      expect((await container.exit).startFailure).toMatch(/no-such-image/)
      await runner.close()
    })

    it('are what pods run in', async () => {
      const node = await testNode({ engine })
      try {
        await node.run('p', {
          volumes: [{ name: 'v', emptyDir: {} }],
          initContainers: [
            {
              name: 'init',
              image: IMAGE,
              command: ['sh', '-c', 'echo made > /made/here; echo bye > /dev/termination-log'],
              volumeMounts: [{ name: 'v', mountPath: '/made' }],
            },
          ],
          containers: [
            {
              name: 'node',
              image: IMAGE,
              command: ['sh', '-c', 'cat /made/here; echo $WHO; until test -f /tmp/hooked; do sleep 0.05; done'],
              env: [{ name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              volumeMounts: [{ name: 'v', mountPath: '/made' }],
              lifecycle: { postStart: { exec: { command: ['touch', '/tmp/hooked'] } } },
            },
          ],
        })
        const { status } = await node.until('p', (pod) => inPhase('Succeeded')(pod) || inPhase('Failed')(pod))
        expect(await node.logs('p', { container: 'node' })).toBe('made\np\n')
        expect(status?.initContainerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 0, message: 'bye\n' })
        await node.run('q', { containers: [{ name: 'node', image: IMAGE }] })
        await node.until('q', inPhase('Succeeded'))
        expect(await node.logs('q')).toBe('from the image\n')
      } finally {
        await node.close()
      }
    })

    it('are what `trainjob run` trains in, the project at its place', async () => {
      const project = mkdtempSync(join(tmpdir(), 'tj-project-'))
      try {
        const script = 'echo "$PET_NNODES nodes, $(cat /workspace/note)"'
        const trainer = { image: IMAGE, numNodes: 2, command: ['sh', '-c', script] }
        writeFileSync(join(project, 'note'), 'of the project')
        writeFileSync(
          join(project, 'job.json'),
          JSON.stringify({
            apiVersion: 'trainer.kubeflow.org/v1alpha1',
            kind: 'TrainJob',
            metadata: { name: 'in-image' },
            spec: { runtimeRef: { name: 'torch-distributed' }, trainer },
          }),
        )
        const args = [TRAINJOB, 'run', '-f', 'job.json', '--runner', name]
        const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd: project, env })
        expect(code, stderr).toBe(0)
        expect(stdout.trimEnd().split('\n').sort()).toEqual([
          'node-0 | 2 nodes, of the project',
          'node-1 | 2 nodes, of the project',
        ])
        expect(stderr).toContain(`containers of ${name}`)
      } finally {
        rmSync(project, { recursive: true, force: true })
      }
    })

    it('of an engine that was killed are removed by the next one', async () => {
      const listed = (filter: string): string =>
        execFileSync(name, ['ps', '--all', '--filter', `name=${filter}`, '--format', '{{.Names}}'], { env }).toString()
      // no process has this number
      const left = `trainjob-${2 ** 22 + 1}-killed-0`
      const label = ['--label', 'trainjob.dev/engine=killed']
      execFileSync(name, ['create', '--name', left, '--network', 'host', ...label, IMAGE], { env, stdio: 'ignore' })
      expect(listed(left)).toContain(left)
      const runner = create()
      await expect.poll(() => listed(left)).toBe('')
      await runner.close()
    })

    it('leave no container behind', () => {
      const mine = ['ps', '--all', '--quiet', '--filter', `name=trainjob-${process.pid}-`]
      expect(execFileSync(name, mine, { env }).toString()).toBe('')
    })

    afterAll(() => {
      execFileSync(name, ['rmi', '--force', IMAGE], { env, stdio: 'ignore' })
    })
  })
}

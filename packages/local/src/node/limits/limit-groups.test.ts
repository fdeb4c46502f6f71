import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pods } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { createProcessRunner } from '../process/process-runner.ts'
import { createReaper } from '../reaper/reaper.ts'
import { firstContainer, inPhase, type TestNode, testNode } from '../testing/test-node.ts'
import { createLimitGroups } from './limit-groups.ts'

let node: TestNode | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

/** Fills memory until it has 300 MB, or is not allowed to. */
const GREEDY = 'const all=[];for(let i=0;i<30;i++)all.push(Buffer.alloc(1e7,1));console.log("has it all")'
const container = (memory: string) => [
  { name: 'node', command: [process.execPath, '-e', GREEDY], resources: { limits: { memory } } },
]
const exact = createLimitGroups(`probe-${process.pid}`).exact

describe('a memory limit', () => {
  it.runIf(exact.memory)('ends a container as OOMKilled', async () => {
    node = await testNode({ enforceLimits: true })
    await node.run('p', { containers: container('150Mi') })
    expect(firstContainer(await node.until('p', inPhase('Failed')))?.state?.terminated).toMatchObject({
      reason: 'OOMKilled',
      exitCode: 137,
    })
  })

  it('lets a container be that stays below', async () => {
    node = await testNode({ enforceLimits: true })
    await node.run('p', { containers: container('2Gi') })
    await node.until('p', (pod) => inPhase('Succeeded')(pod) || inPhase('Failed')(pod))
    expect(await node.logs('p')).toBe('has it all\n')
  })

  it('is not enforced unless it is wanted', async () => {
    node = await testNode()
    await node.run('p', { containers: container('150Mi') })
    await node.until('p', inPhase('Succeeded'))
  })

  it('holds by a resource limit where there are no control groups', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'tj-limits-'))
    const engineId = `limits-${process.pid}`
    const groups = createLimitGroups(engineId, join(dir, 'no-cgroup'))
    const reaper = createReaper({ engineId })
    const runner = createProcessRunner({ engineId, dir, reaper, limitGroups: () => groups })
    try {
      expect(groups.exact).toEqual({ memory: false, cpu: false })
      const start = (memoryLimitBytes: number) =>
        runner.start({
          id: `c-${memoryLimitBytes}`,
          argv: ['sh', '-c', 'ulimit -d'],
          cwd: dir,
          env: { PATH: process.env.PATH ?? '' },
          mounts: [],
          limits: { memoryBytes: memoryLimitBytes },
          onOutput: (_, chunk) => printed.push(chunk.toString().trim()),
        })
      const printed: string[] = []
      expect(await start(150 * 2 ** 20).exit).toEqual({ code: 0 })
      expect(printed).toEqual([String(150 * 1024)])
    } finally {
      await runner.close()
      rmSync(dir, { recursive: true, force: true })
    }
  })
})

describe('a CPU limit', () => {
  it.runIf(exact.cpu)('is the quota of a control group, which goes with the container', async () => {
    node = await testNode({ enforceLimits: true })
    await node.run('p', {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'node',
          command: ['sh', '-c', 'echo $$$$; sleep 100'],
          resources: { limits: { cpu: '250m', memory: '1Gi' } },
        },
      ],
    })
    await expect.poll(() => node?.logs('p')).toMatch(/^\d+\n$/)
    const pid = (await node.logs('p')).trim()
    const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
    const separate = /^\d+:(?:\w+,)*cpu(?:,\w+)*:(.*)$/m.exec(groups)?.[1]
    const unified = /^0::(.*)$/m.exec(groups)?.[1] ?? ''
    const folder = separate === undefined ? join('/sys/fs/cgroup', unified) : join('/sys/fs/cgroup/cpu', separate)
    const file = separate === undefined ? 'cpu.max' : 'cpu.cfs_quota_us'
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^25000( 100000)?\n$/)
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await expect.poll(() => existsSync(folder)).toBe(false)
  })

  it('is said not to hold where there are no control groups', () => {
    const groups = createLimitGroups('limits', '/nowhere')
    expect(groups.exact.cpu).toBe(false)
    expect(groups.create('c', { cpus: 1 }).wrap(['true'])).toEqual(['true'])
  })
})

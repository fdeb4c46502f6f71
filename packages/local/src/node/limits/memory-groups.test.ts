import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createProcessRunner } from '../process/process-runner.ts'
import { createReaper } from '../reaper/reaper.ts'
import { firstContainer, inPhase, type TestNode, testNode } from '../testing/test-node.ts'
import { createMemoryGroups } from './memory-groups.ts'

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
const exact = createMemoryGroups(`probe-${process.pid}`).exact

describe('a memory limit', () => {
  it.runIf(exact)('ends a container as OOMKilled', async () => {
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
    const groups = createMemoryGroups(engineId, join(dir, 'no-cgroup'))
    const reaper = createReaper({ engineId })
    const runner = createProcessRunner({ engineId, dir, reaper, memoryGroups: () => groups })
    try {
      expect(groups.exact).toBe(false)
      const start = (memoryLimitBytes: number) =>
        runner.start({
          id: `c-${memoryLimitBytes}`,
          argv: ['sh', '-c', 'ulimit -d'],
          cwd: dir,
          env: { PATH: process.env.PATH ?? '' },
          mounts: [],
          memoryLimitBytes,
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

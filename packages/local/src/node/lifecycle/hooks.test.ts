import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Pods } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, shell, type TestNode, testNode } from '../testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

const runs = (pod: Parameters<typeof firstContainer>[0]) => firstContainer(pod)?.state?.running !== undefined
const UNTIL_STOPPED = 'trap "echo term; exit 0" TERM; echo up; while :; do sleep 0.02; done'

describe('postStart', () => {
  it('runs in the container, right after it has started', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('until test -f made; do sleep 0.02; done; cat made', {
        env: [{ name: 'WHAT', value: 'hook' }],
        lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo $WHAT > made.new; mv made.new made'] } } },
      }),
    })
    await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p')).toBe('hook\n')
  })

  it('ends the container when it fails', async () => {
    node = await testNode()
    await node.run('p', {
      terminationGracePeriodSeconds: 1,
      containers: shell('exec sleep 100', {
        lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo no disk; exit 4'] } } },
      }),
    })
    await node.until('p', inPhase('Failed'))
    await expect
      .poll(async () => (await node.events('p')).find(({ reason }) => reason === 'FailedPostStartHook')?.message)
      .toContain('command ended with 4: no disk')
  })
})

describe('preStop', () => {
  const deleted = async (spec: Parameters<TestNode['run']>[1], graceSeconds?: number): Promise<string> => {
    node = await testNode()
    await node.run('p', spec)
    await node.until('p', runs)
    // before its trap is set, the signal ends the shell
    await expect.poll(() => node.logs('p')).toBe('up\n')
    const printed = node.logs('p', { follow: true })
    await node.client.delete(
      Pods,
      { namespace: 'default', name: 'p' },
      graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds },
    )
    await node.gone('p')
    return printed
  }

  it('comes before the signal', async () => {
    const hook = { exec: { command: ['sh', '-c', 'echo saved > state'] } }
    const script = 'trap "cat state; exit 0" TERM; echo up; while :; do sleep 0.02; done'
    expect(await deleted({ containers: shell(script, { lifecycle: { preStop: hook } }) })).toContain('saved\n')
  })

  it('may be a pause', async () => {
    const printed = await deleted(
      { containers: shell(UNTIL_STOPPED, { lifecycle: { preStop: { sleep: { seconds: 1 } } } }) },
      1,
    )
    expect(printed).toContain('term\n')
  })

  it('that fails does not keep the container from being asked', async () => {
    const hook = { tcpSocket: { port: 1 } }
    expect(await deleted({ containers: shell(UNTIL_STOPPED, { lifecycle: { preStop: hook } }) })).toContain('term\n')
  })

  it('is cut short by the grace period, after which the container gets a moment', async () => {
    const hook = { exec: { command: ['sleep', '100'] } }
    expect(await deleted({ containers: shell(UNTIL_STOPPED, { lifecycle: { preStop: hook } }) }, 1)).toContain('term\n')
  })

  it('is left out when there is no time at all, and when the container ends by itself', async () => {
    const hook = { exec: { command: ['touch', 'hooked'] } }
    node = await testNode()
    const { metadata } = await node.run('p', { containers: shell('true', { lifecycle: { preStop: hook } }) })
    await node.until('p', inPhase('Succeeded'))
    const left = await node.run('q', { containers: shell('exec sleep 100', { lifecycle: { preStop: hook } }) })
    await node.until('q', runs)
    await node.agent.stop({ graceMs: 0 })
    for (const uid of [metadata.uid, left.metadata.uid]) {
      expect(existsSync(join(node.dir, 'pods', uid ?? '', 'work/hooked'))).toBe(false)
    }
  })
})

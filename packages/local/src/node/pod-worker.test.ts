import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Pods } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, isAlive, shell, type TestNode, testNode } from './testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

const pidIn = async (name: string): Promise<number> => {
  await node.until(name, (pod) => firstContainer(pod)?.state?.running !== undefined)
  for await (const chunk of node.client.logs({ namespace: 'default', name }, { follow: true })) {
    const match = /pid (\d+)/.exec(Buffer.from(chunk).toString())
    if (match !== null) return Number(match[1])
  }
  throw new Error('no pid was printed')
}

describe('an end', () => {
  it('gives a deleted pod its grace period', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('trap "echo saving; exit 0" TERM; echo pid $$$$; while :; do sleep 0.01; done'),
    })
    await pidIn('p')
    const following = node.logs('p', { follow: true })
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    expect(await following).toContain('saving')
  })

  it('kills a tree that ignores SIGTERM when the grace period is over', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('trap "" TERM; setsid sh -c "echo pid \\$$\\$$; sleep 100; sleep 100" & sleep 100; sleep 100'),
    })
    const pid = await pidIn('p')
    await node.client.delete(Pods, { namespace: 'default', name: 'p' }, { gracePeriodSeconds: 1 })
    await node.gone('p')
    expect(isAlive(pid)).toBe(false)
  })

  it('reports how a pod ended that somebody else still needs', async () => {
    node = await testNode()
    const finalizers = ['batch.kubernetes.io/job-tracking']
    await node.run('p', { containers: shell('echo pid $$$$; exec sleep 100') }, { finalizers })
    const pid = await pidIn('p')
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    const pod = await node.until(
      'p',
      (p) => p.status?.phase === 'Failed' && p.metadata.deletionGracePeriodSeconds === 0,
    )
    expect(firstContainer(pod)?.state?.terminated?.exitCode).toBe(143)
    expect(isAlive(pid)).toBe(false)
    const body = { metadata: { finalizers: null } }
    await node.client.patch(Pods, { namespace: 'default', name: 'p' }, { type: 'merge', body })
    await node.gone('p')
  })

  it('removes the files of a pod that is gone', async () => {
    node = await testNode()
    const { metadata } = await node.run('p', { containers: shell('echo x') })
    await node.until('p', inPhase('Succeeded'))
    const folder = join(node.dir, 'pods', metadata.uid ?? '')
    expect(existsSync(folder)).toBe(true)
    await node.client.delete(Pods, { namespace: 'default', name: 'p' })
    await node.gone('p')
    await node.agent.stop()
    expect(existsSync(folder)).toBe(false)
  })

  it('leaves no process behind when the agent stops', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('trap "" TERM; setsid sleep 100 & echo pid $!; sleep 100; sleep 100') })
    const pid = await pidIn('p')
    await node.agent.stop({ graceMs: 20 })
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(join(node.dir, 't'))).toEqual([])
  })

  it('hurries when it is told to stop again', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('trap "" TERM; echo pid $$$$; sleep 100; sleep 100') })
    const pid = await pidIn('p')
    const patient = node.agent.stop({ graceMs: 60_000 })
    await node.agent.stop({ graceMs: 0 })
    await patient
    expect(isAlive(pid)).toBe(false)
  })

  it('fails the container, not the engine, when its log cannot be written', async () => {
    const openLog = (path: string) => (path.includes('full') ? '/dev/full' : path)
    node = await testNode({ logFile: openLog })
    await node.run('p', { containers: [{ name: 'full', command: ['sh', '-c', 'echo x; sleep 100'] }] })
    const pod = await node.until('p', inPhase('Failed'))
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({
      exitCode: 137,
      message: expect.stringContaining('ENOSPC'),
    })
    await node.run('q', { containers: shell('echo fine') })
    await node.until('q', inPhase('Succeeded'))
    expect(await node.logs('q')).toBe('fine\n')
  })
})

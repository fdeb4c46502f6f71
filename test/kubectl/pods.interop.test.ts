import { beforeAll, describe, expect, it } from 'vitest'
import { describeKubectl } from './describe-kubectl.ts'
import type { Kubectl } from './kubectl.ts'
import { pod } from './samples.ts'

describeKubectl('looks into pods', ({ inNamespace }) => {
  describe('pods', () => {
    let kubectl: Kubectl
    beforeAll(async () => {
      kubectl = await inNamespace('pods')
      await kubectl.send(
        ['apply'],
        pod('two', { a: 'for i in 1 2 3; do echo a$i; done; sleep 100', b: 'echo b1; sleep 100' }),
      )
      await kubectl.send(
        ['apply'],
        pod('again', { c: 'echo once; test -e done && sleep 100; touch done; exit 1' }, { restartPolicy: 'Always' }),
      )
      await kubectl('wait', '--for=condition=Ready', 'pod/two', '--timeout=30s')
    })

    it('show what they printed', async () => {
      // a container that runs need not have printed yet
      await expect.poll(() => kubectl('logs', 'two', '-c', 'a'), { timeout: 20_000 }).toBe('a1\na2\na3\n')
      await expect.poll(() => kubectl('logs', 'two', '-c', 'b'), { timeout: 20_000 }).toBe('b1\n')
      expect(await kubectl('logs', 'two', '-c', 'a', '--tail=1', '--since=10m')).toBe('a3\n')
      expect(await kubectl('logs', 'two', '-c', 'a', '--timestamps', '--tail=1')).toMatch(/^\d{4}-\S+Z a3\n$/)
      const all = await kubectl('logs', 'two', '--all-containers', '--prefix')
      expect(all.split('\n')).toEqual(expect.arrayContaining(['[pod/two/a] a1', '[pod/two/b] b1']))
      // in any order
      const last = await kubectl('logs', '-l', 'pod=two', '--all-containers', '--tail=1')
      expect(last.trimEnd().split('\n').sort()).toEqual(['a3', 'b1'])
      expect((await kubectl.fails('logs', 'two', '-c', 'zz')).stderr).toContain('container zz is not valid for pod two')
      expect((await kubectl.fails('logs', 'nope')).stderr).toContain('pods "nope" not found')
    })

    it('are followed until they end', async () => {
      await kubectl.send(['apply'], pod('ends', { a: 'echo first; sleep 1; echo last' }))
      await kubectl('wait', '--for=jsonpath={.status.phase}=Running', 'pod/ends', '--timeout=30s')
      expect(await kubectl('logs', '-f', 'ends')).toBe('first\nlast\n')
    })

    it('show what they printed before they restarted', async () => {
      await kubectl(
        'wait',
        '--for=jsonpath={.status.containerStatuses[0].restartCount}=1',
        'pod/again',
        '--timeout=40s',
      )
      expect(await kubectl('logs', 'again', '--previous')).toBe('once\n')
      expect((await kubectl.fails('logs', 'two', '-c', 'a', '--previous')).stderr).toContain(
        'previous terminated container "a" in pod "two" not found',
      )
    })

    it('run commands', async () => {
      expect(await kubectl('exec', 'two', '-c', 'a', '--', 'echo', 'inside')).toBe('inside\n')
      const failed = await kubectl.run(['exec', 'two', '-c', 'a', '--', 'sh', '-c', 'echo out; echo err >&2; exit 4'])
      expect(failed).toMatchObject({ code: 4, stdout: 'out\n' })
      expect(failed.stderr).toContain('err\n')
      const fed = await kubectl.run(['exec', '-i', 'two', '-c', 'b', '--', 'cat'], { input: 'to and fro' })
      expect(fed).toMatchObject({ code: 0, stdout: 'to and fro' })
      expect((await kubectl.fails('exec', 'nope', '--', 'true')).stderr).toContain('pods "nope" not found')
    })

    it('are described, with their events', async () => {
      const text = await kubectl('describe', 'pod', 'two')
      expect(text).toMatch(/^Name: +two$/m)
      expect(text).toMatch(/Normal +Started .* Started container a/)
      expect((await kubectl('describe', 'node')).replaceAll(/ +/g, ' ')).toContain(
        'KubeletReady this machine runs pods',
      )
      expect(await kubectl.rows('events', '--for', 'pod/two')).toContainEqual(
        expect.stringMatching(/Normal Scheduled Pod\/two Successfully assigned pods\/two to /),
      )
      expect((await kubectl.rows('get', 'events'))[0]).toBe('LAST SEEN TYPE REASON OBJECT MESSAGE')
    })

    it('are shown with their state', async () => {
      expect(await kubectl.rows('get', 'pods', 'two', '-o', 'wide')).toEqual([
        'NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES',
        expect.stringMatching(/^two 2\/2 Running 0 \d+s 127\.\S+ local <none> <none>$/),
      ])
      expect((await kubectl.rows('get', 'pods', 'again'))[1]).toMatch(/^again 1\/1 Running 1 \(\d+s ago\) \d+s$/)
    })
  })

  it('is cleared from a node that is drained', async () => {
    const kubectl = await inNamespace('drained')
    await kubectl.send(['apply'], pod('p', { c: 'sleep 300' }))
    await kubectl('wait', '--for=condition=Ready', 'pod/p', '--timeout=20s')
    expect(await kubectl('drain', 'local', '--force', '--pod-selector=pod=p', '--timeout=20s')).toContain(
      'pod/p evicted',
    )
    expect(await kubectl('uncordon', 'local')).toContain('uncordoned')
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, Nodes, type Pod } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { firstContainer, inPhase, shell, type TestNode, testNode } from './testing/test-node.ts'

let node: TestNode
afterEach(() => node?.close())

const isReady = (pod: Pod) => pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true

describe('the node', () => {
  it('registers itself with what the machine has', async () => {
    node = await testNode()
    // its devices are looked for first
    for await (const { object } of node.client.watch(Nodes, { resourceVersion: '0' })) {
      const { status } = object as Node
      expect(Number(status?.allocatable?.cpu)).toBeGreaterThan(0)
      expect(status?.allocatable?.memory).toMatch(/^\d+Ki$/)
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }))
      return
    }
    throw new Error('the watch ended without a node')
  })

  it('offers the GPUs that the vendor’s tool lists', async () => {
    node = await testNode()
    const tools = join(node.dir, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'nvidia-smi'), '#!/bin/sh\necho "GPU 0: A"\necho "GPU 1: B"\n', { mode: 0o755 })
    const other = node
    node = await testNode({ env: { PATH: `${tools}:${process.env.PATH}` } })
    try {
      for await (const event of node.client.watch(Nodes, { resourceVersion: '0' })) {
        if (event.type !== 'BOOKMARK' && event.object.status?.capacity?.['nvidia.com/gpu'] === '2') break
      }
    } finally {
      await other.close()
    }
  })
})

describe('a pod', () => {
  it('runs to its end', async () => {
    node = await testNode()
    await node.run('p', { containers: shell('echo hello; echo $HOSTNAME') })
    const pod = await node.until('p', inPhase('Succeeded'))
    expect(firstContainer(pod)?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' })
    expect(pod.status?.podIP).toMatch(/^127\./)
    expect(await node.logs('p')).toBe('hello\np\n')
    expect((await node.events('p')).map((event) => event.reason)).toContain('Started')
    expect(node.notes).toEqual([expect.stringContaining('images are not pulled')])
  })

  it.each([
    ['exit 3', 3],
    // Kubernetes takes two dollar signs for one
    ['kill -KILL $$$$', 137],
  ])('fails with the exit code of %s', async (script, exitCode) => {
    node = await testNode()
    await node.run('p', { containers: shell(script) })
    expect(firstContainer(await node.until('p', inPhase('Failed')))?.state?.terminated).toMatchObject({
      exitCode,
      reason: 'Error',
    })
  })

  it('restarts a failed container in place, waits longer each time, and keeps the previous log', async () => {
    node = await testNode()
    await node.run('p', {
      restartPolicy: 'OnFailure',
      containers: shell(
        'echo attempt; test -f third && echo done && exit 0; test -f second && touch third; touch second; exit 4',
      ),
    })
    const waiting = await node.until('p', (pod) => firstContainer(pod)?.state?.waiting?.reason === 'CrashLoopBackOff')
    expect(firstContainer(waiting)).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 4 } } })
    const pod = await node.until('p', inPhase('Succeeded'))
    expect(firstContainer(pod)).toMatchObject({ restartCount: 2, lastState: { terminated: { exitCode: 4 } } })
    expect(await node.logs('p')).toBe('attempt\ndone\n')
    expect(await node.logs('p', { previous: true })).toBe('attempt\n')
    expect((await node.events('p')).map((event) => event.reason)).toContain('BackOff')
  })

  it('is ready while it runs, and says when it is not any more', async () => {
    node = await testNode()
    await node.run('p', {
      containers: shell('read x < fifo'),
      initContainers: [{ name: 'make', command: ['mkfifo', 'fifo'] }],
    })
    const ready = await node.until('p', isReady)
    expect(ready.status?.phase).toBe('Running')
    await node.run('q', {
      containers: shell(`cd ${join(node.dir, 'pods', ready.metadata.uid ?? '', 'work')}; echo go > fifo`),
    })
    const pod = await node.until('p', inPhase('Succeeded'))
    expect(pod.status?.conditions?.find((c) => c.type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'PodCompleted',
    })
  })

  it('runs init containers in order, then sidecars and main containers together', async () => {
    node = await testNode()
    const append = (text: string) => ['sh', '-c', `echo ${text} >> order`]
    await node.run('p', {
      initContainers: [
        { name: 'one', command: append('one') },
        {
          name: 'beside',
          restartPolicy: 'Always',
          command: [
            'sh',
            '-c',
            'trap "echo bye >> order; exit 0" TERM; echo beside >> order; while :; do sleep 0.01; done',
          ],
        },
        { name: 'two', command: ['sh', '-c', 'until grep -q beside order; do sleep 0.01; done; echo two >> order'] },
      ],
      containers: shell('cat order; echo main >> order'),
    })
    const pod = await node.until('p', inPhase('Succeeded'))
    expect(await node.logs('p', { container: 'node' })).toBe('one\nbeside\ntwo\n')
    expect(pod.status?.initContainerStatuses?.map((c) => c.state?.terminated?.exitCode)).toEqual([0, 0, 0])
  })

  it('shows a failing init container and does not start the others', async () => {
    node = await testNode()
    await node.run('p', { initContainers: [{ name: 'bad', command: ['false'] }], containers: shell('echo never') })
    const pod = await node.until('p', inPhase('Failed'))
    expect(pod.status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode).toBe(1)
    expect(firstContainer(pod)?.state?.terminated?.reason).toBe('ContainerStatusUnknown')
  })

  it('ends at its deadline', async () => {
    node = await testNode()
    await node.run('p', { activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 0, containers: shell('sleep 100') })
    expect((await node.until('p', inPhase('Failed'))).status).toMatchObject({ reason: 'DeadlineExceeded' })
  })

  it('waits for its readiness probe', async () => {
    node = await testNode()
    const server =
      'const s=require("net").createServer().listen(0,process.env.IP,()=>console.log("port "+s.address().port))'
    await node.run('p', {
      containers: [
        {
          name: 'node',
          command: ['node', '-e', server],
          env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
          readinessProbe: { exec: { command: ['test', '-f', 'ready'] }, periodSeconds: 1 },
        },
      ],
    })
    const running = await node.until('p', (pod) => firstContainer(pod)?.state?.running !== undefined)
    expect(isReady(running)).toBe(false)
    writeFileSync(join(node.dir, 'pods', running.metadata.uid ?? '', 'work', 'ready'), '')
    expect(firstContainer(await node.until('p', isReady))?.ready).toBe(true)
  })

  it('restarts a container whose liveness probe fails', async () => {
    node = await testNode()
    await node.run('p', {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 0,
      containers: shell('sleep 100', {
        livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 },
      }),
    })
    expect(
      firstContainer(await node.until('p', (pod) => (firstContainer(pod)?.restartCount ?? 0) > 0))?.lastState
        ?.terminated?.exitCode,
    ).toBe(137)
  })
})

import { join } from 'node:path'
import { createClient, httpTransport } from '@trainjob/kube'
import { TrainerClient, TrainerError } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { readAll, readUntil } from './log-reading.ts'
import { trainJob } from './train-job.ts'

describeCluster('the client', (cluster) => {
  it('shows a job from its first state to its last, and ends', async () => {
    const script = `until [ -e "$DIR/on" ]; do sleep 0.02; done`
    const run = await cluster.trainer.submit(trainJob('seen', { nodes: 2, script, env: { DIR: cluster.dir } }))
    const states: string[] = []
    for await (const { state, steps } of run.watch()) {
      if (states.at(-1) !== state) states.push(state)
      if (steps.length === 2 && steps.every((step) => step.phase === 'Running')) {
        const { writeFile } = await import('node:fs/promises')
        await writeFile(join(cluster.dir, 'on'), '')
      }
    }
    expect(states.filter((state) => state !== 'Pending')).toEqual(['Running', 'Complete'])
    expect(await run.steps()).toMatchObject([
      { node: 'node-0', replicatedJob: 'node', phase: 'Succeeded', restarts: 0, exitCode: 0 },
      { node: 'node-1', replicatedJob: 'node', phase: 'Succeeded', restarts: 0, exitCode: 0 },
    ])
    // one who comes late sees the last state
    const late: string[] = []
    for await (const { state } of run.watch()) late.push(state)
    expect(late).toEqual(['Complete'])
    expect((await run.wait()).kind).toBe('complete')
  })

  it('finds, lists and attaches', async () => {
    await cluster.trainer.submit({
      ...trainJob('listed', { script: 'echo hi' }),
      metadata: { name: 'listed', labels: { team: 'a' } },
    })
    const run = await cluster.trainer.attach('listed')
    expect(await readAll(run.logs())).toEqual(['node-0: hi'])
    const listed = await cluster.trainer.list({ labelSelector: 'team=a' })
    expect(listed.map((one) => one.metadata.name)).toEqual(['listed'])
    expect(await cluster.trainer.list({ namespace: 'kube-system' })).toEqual([])
    expect((await cluster.trainer.list({ allNamespaces: true })).length).toBeGreaterThan(0)
  })

  it('tells the story in events, oldest first', async () => {
    const run = await cluster.trainer.submit(trainJob('story', { script: 'echo' }))
    await run.wait()
    const kinds = await eventually(async () => {
      const found = (await run.events()).map((event) => event.involvedObject.kind)
      return found.includes('Pod') && found.includes('Job') && found
    })
    expect(kinds.length).toBeGreaterThan(2)
    await cluster.trainer.submit(trainJob('story-node-0', { script: 'echo' }))
    const names = (await run.events()).map((event) => event.involvedObject.name ?? '')
    expect(names.filter((name) => name.startsWith('story-node-0-node'))).toEqual([])
  })

  it('checks a job without storing it', async () => {
    const run = await cluster.trainer.submit(trainJob('dry', { script: 'echo' }), { dryRun: true })
    expect(run.trainJob.spec.managedBy).toBe('trainer.kubeflow.org/trainjob-controller')
    await expect(cluster.trainer.get('dry')).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each<[string, string, (trainer: TrainerClient) => Promise<unknown>]>([
    ['a name that is taken', 'already-exists', (trainer) => trainer.submit(trainJob('taken', { script: 'echo' }))],
    ['no such job', 'not-found', (trainer) => trainer.attach('nobody')],
    ['deleting no such job', 'not-found', (trainer) => trainer.delete('nobody')],
    ['suspending no such job', 'not-found', (trainer) => trainer.suspend('nobody')],
    [
      'a number of nodes that is none',
      'invalid',
      (trainer) => trainer.submit(trainJob('odd', { nodes: 'two' as unknown as number, script: '' })),
    ],
    [
      'a change of what may not change',
      'invalid',
      (trainer) => trainer.patch('taken', { type: 'merge', body: { spec: { trainer: { numNodes: 7 } } } }),
    ],
  ])('fails with its own error: %s', async (_, code, call) => {
    await cluster.trainer.submit(trainJob('taken', { script: 'echo' })).catch(() => {})
    const error = await call(cluster.trainer).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TrainerError)
    expect(error).toMatchObject({ code })
    if (code === 'invalid') expect((error as TrainerError).causes.length).toBeGreaterThan(0)
  })

  it('says that nobody answers', async () => {
    const nobody = TrainerClient.over(createClient(httpTransport({ server: 'http://127.0.0.1:1' })))
    await expect(nobody.get('x')).rejects.toMatchObject({ code: 'unreachable' })
    await nobody.close()
    const kubeconfig = join(cluster.dir, 'no-such-kubeconfig')
    await expect(TrainerClient.connect({ kubeconfig })).rejects.toMatchObject({ code: 'config' })
  })

  it('gives up waiting when told, and leaves the job alone', async () => {
    const run = await cluster.trainer.submit(trainJob('long', { script: 'echo ready; sleep 1000' }))
    await readUntil(run.logs(), 'ready')
    await expect(run.wait({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('is Running after 0.05 s'),
    })
    const stop = new AbortController()
    const waiting = run.wait({ signal: stop.signal })
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await expect(run.wait({ signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' })
    expect((await run.wait({ until: 'Running' })).kind).toBe('reached')
    await run.delete()
    expect((await run.wait()).kind).toBe('deleted')
  })

  it('does not take another job of the same name for its own', async () => {
    const first = await cluster.trainer.submit(trainJob('twin', { script: 'echo first; sleep 1000' }))
    await readUntil(first.logs(), 'first')
    await first.delete()
    const second = await cluster.trainer.submit(trainJob('twin', { script: 'echo second' }))
    expect((await first.wait()).kind).toBe('deleted')
    expect((await second.wait()).kind).toBe('complete')
    expect(await readAll(second.logs())).toEqual(['node-0: second'])
    expect(await readAll(first.logs())).toEqual([])
    await expect(first.refresh()).rejects.toMatchObject({ code: 'deleted' })
  })
})

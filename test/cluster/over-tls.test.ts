import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '@trainjob/local'
import { TrainerClient } from '@trainjob/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAll, readUntil } from './log-reading.ts'
import { trainJob } from './train-job.ts'

describe('the client over TLS, from a kubeconfig', () => {
  let dir = ''
  let stop = async () => {}
  let trainer: TrainerClient

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'trainjob-tls-'))
    const cluster = await startCluster({ dir: join(dir, 'cluster'), restartBackoff: { initialMs: 20, maxMs: 100 } })
    stop = cluster.stop
    const listening = await cluster.listen()
    const kubeconfig = join(dir, 'kubeconfig')
    await writeFile(kubeconfig, listening.kubeconfig(), { mode: 0o600 })
    trainer = await TrainerClient.connect({ kubeconfig })
  })
  afterAll(async () => {
    await trainer.close()
    await stop()
    await rm(dir, { recursive: true, force: true })
  })

  it('submits, follows over restarts, and waits', async () => {
    const script = `echo one; if [ -e "$DIR/again" ]; then echo two; else : > "$DIR/again"; exit 1; fi`
    const run = await trainer.submit(trainJob('remote', { nodes: 1, script, env: { DIR: dir } }))
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    // the first start may be over before its log is asked for: it comes late then, but it comes
    expect(lines.toSorted()).toEqual(['node-0: one', 'node-0: one', 'node-0: two'])
    expect(outcome.kind).toBe('complete')
    expect((await run.steps()).map((step) => step.restarts)).toEqual([1])
  })

  it('tells what a refused job lacks', async () => {
    await expect(trainer.submit(trainJob('lost', { runtime: 'plian', script: 'echo' }))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('did you mean "plain"?'),
      causes: [{ path: 'spec.runtimeRef' }],
    })
  })

  it('lets go of a running job, and can stop it', async () => {
    const run = await trainer.submit(trainJob('endless', { nodes: 3, script: 'echo ready; sleep 1000' }))
    await readUntil(run.logs(), 'ready')
    const states: string[] = []
    for await (const { state } of run.watch()) {
      states.push(state)
      if (state === 'Running') await run.suspend()
      if (state === 'Suspended') break
    }
    expect(states.at(-1)).toBe('Suspended')
    await run.delete()
    expect((await run.wait()).kind).toBe('deleted')
  })
})

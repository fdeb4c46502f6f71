import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TrainerClient } from './trainer-client.ts'

it('runs a job in this process and leaves nothing behind', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'trainjob-sdk-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = parent
  const notes: string[] = []
  const trainer = await TrainerClient.local({ onNote: (note) => notes.push(note) })
  try {
    const run = await trainer.submit({
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'hello' },
      spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: 2, command: ['echo', 'hello'] } },
    })
    const lines: string[] = []
    for await (const { node, text } of run.logs()) lines.push(`${node} ${text}`)
    expect(lines.toSorted()).toEqual(['node-0 hello', 'node-1 hello'])
    expect((await run.wait()).kind).toBe('complete')
    expect(notes.length).toBeGreaterThan(0)
  } finally {
    await trainer.close()
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  expect(await readdir(parent)).toEqual([])
  await rm(parent, { recursive: true })
})

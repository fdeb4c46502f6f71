import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { capturedIO } from '../../testing/captured-io.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { lint } from './lint.ts'

const JOB = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: { name: a }
spec:
  runtimeRef: { name: torch-distributed }
  trainer:
    numNodes: 2
    # what each node needs
    resources: { limits: { cpu: 1 } }
    command: [torchrun, train.py]
  managedBy: kueue.x-k8s.io/multikueue
`

test('advice comes in the form of validate, each piece with its line', async () => {
  const cwd = temporaryFolder({ 'job.yaml': JOB })
  const { io, stdout } = capturedIO({ cwd })
  expect(await lint({ flags: { filename: ['job.yaml'], output: 'json' }, args: [] }, io)).toBe(0)
  const { valid, errors, warnings } = JSON.parse(stdout())
  expect({ valid, errors }).toEqual({ valid: true, errors: [] })
  expect(warnings.map((one: { code: string; line: number }) => [one.code, one.line])).toEqual([
    ['translated', 9],
    ['multikueue-without-queue', 11],
    ['no-gang-policy', 5],
  ])
})

test('--fix writes the canonical form into the file; the next time there is nothing to fix', async () => {
  const cwd = temporaryFolder({ 'job.yaml': JOB })
  const fix = async () => {
    const { io, stderr } = capturedIO({ cwd })
    expect(await lint({ flags: { filename: ['job.yaml'], fix: true }, args: [] }, io)).toBe(0)
    return stderr()
  }
  expect(await fix()).toBe('job.yaml: one object brought into canonical form\n')
  const text = readFileSync(join(cwd, 'job.yaml'), 'utf8')
  expect(text).toContain('# what each node needs\n    resourcesPerNode: { limits: { cpu: 1 } }')
  expect(await fix()).toBe('')
  expect(readFileSync(join(cwd, 'job.yaml'), 'utf8')).toBe(text)
})

test('--fix of stdin is a filter', async () => {
  const { io, stdout, stderr } = capturedIO({ stdin: JOB })
  await lint({ flags: { filename: ['-'], fix: true }, args: [] }, io)
  expect(stdout()).toContain('resourcesPerNode')
  expect(stdout()).not.toContain('warning')
  expect(stderr()).toContain('multikueue-without-queue')
})

test('what cannot be translated is an error that shows what to write', async () => {
  const text = JOB.replace('spec:\n', 'spec:\n  podGroupPolicy: { volcano: { minMember: 2 } }\n')
  const { io, stdout } = capturedIO({ stdin: text })
  expect(await lint({ flags: { filename: ['-'], output: 'json' }, args: [] }, io)).toBe(1)
  expect(JSON.parse(stdout()).errors).toMatchObject([
    {
      code: 'untranslatable',
      path: 'spec.podGroupPolicy',
      line: 5,
      message: expect.stringContaining('kind: TrainingRuntime'),
    },
  ])
})

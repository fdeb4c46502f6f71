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

test('--fix keeps every comment of a file of several documents, and what is canonical as it is', async () => {
  const cwd = temporaryFolder({ 'all.yaml': SEVERAL })
  const { io, stderr } = capturedIO({ cwd })
  await lint({ flags: { filename: ['all.yaml'], fix: true }, args: [] }, io)
  expect(stderr()).toContain('all.yaml: 2 objects brought into canonical form\n')
  const text = readFileSync(join(cwd, 'all.yaml'), 'utf8')
  const comments = (of: string): readonly string[] => of.match(/#[^\n]*/g) ?? []
  expect(comments(text)).toEqual(comments(SEVERAL))
  expect(text.split('---\n')).toEqual([
    `# the team's own
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: ours # never rename
  annotations:
    trainjob.dev/min-member: "2"
    trainjob.dev/form: document
spec:
  mlPolicy: { numNodes: 2 } # of two nodes
  # together
  podGroupPolicy:
    coscheduling:
      # as one
      {}
  template:
    spec:
      replicatedJobs:
        # the nodes
        - name: node
          template:
            metadata: { labels: { trainer.kubeflow.org/trainjob-ancestor-step: trainer } }
            spec: { template: { spec: { containers: [ { name: node, image: i } ] } } }
`,
    `# not ours to change
apiVersion: v1
kind: Secret
metadata:   {name: s}   # three blanks
`,
    `# the job
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: { name: a, annotations: { trainjob.dev/form: document } }
spec:
  runtimeRef: { name: ours } # of this file
  trainer:
    command: [ python, x.py ]
    # a processor each
    resourcesPerNode:
      # at most
      limits: { cpu: 1 }

# the end
`,
  ])
})

const SEVERAL = `# the team's own
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: ours # never rename
spec:
  mlPolicy: { numNodes: 2 } # of two nodes
  # together
  podGroupPolicy:
    cosmoscheduling: # as one
      minMember: 2
  template:
    spec:
      replicatedJobs:
        # the nodes
        - name: node
          template:
            metadata: { labels: { trainer.kubeflow.org/trainjob-ancestor-step: trainer } }
            spec: { template: { spec: { containers: [{ name: node, image: i }] } } }
---
# not ours to change
apiVersion: v1
kind: Secret
metadata:   {name: s}   # three blanks
---
# the job
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: { name: a }
spec:
  runtimeRef: { name: ours } # of this file
  trainer:
    command: [python, x.py]
    # a processor each
    resources: # at most
      limits: { cpu: 1 }
# the end
`

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

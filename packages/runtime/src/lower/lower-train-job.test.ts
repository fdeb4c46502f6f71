import { type AnyTrainingRuntime, JSON_PATCHES_ANNOTATION, type JsonPatchOperation, type TrainJob } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { describe, expect, it } from 'vitest'
import { render } from '../render.ts'
import { shippedRuntimes } from '../shipped/shipped-runtimes.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf, jobSetOf } from '../testing/objects.ts'
import { differences } from './differences.ts'
import { lowerTrainJob } from './lower-train-job.ts'

const POD = '/spec/replicatedJobs/0/template/spec/template/spec'
const torch = aRuntime({ torch: {} })

function patched(...patch: JsonPatchOperation[]): TrainJob {
  const job = aTrainJob({ trainer: { numNodes: 2, env: [{ name: 'A', value: '1' }] } })
  const annotations = { [JSON_PATCHES_ANNOTATION]: JSON.stringify([{ manager: 'me', patch }]) }
  return { ...job, metadata: { ...job.metadata, annotations } }
}

function document(spec: object): AnyTrainingRuntime {
  const replicatedJobs = [
    { name: 'worker', replicas: 2, template: { spec: { containers: [{ name: 'trainer', image: 'i' }] } } },
  ]
  const runtime = { ...torch, spec: { template: { spec: { replicatedJobs } }, ...spec } }
  return toCanonical(runtime as unknown as AnyTrainingRuntime).object
}

describe('a job for upstream’s controller', () => {
  it('is the very same when it says nothing that upstream does not know', () => {
    const job = aTrainJob()
    expect(lowerTrainJob(job, torch)).toEqual({ trainJob: job, refusals: [] })
    expect(lowerTrainJob(job, torch).trainJob).toBe(job)
  })

  it.each<[string, JsonPatchOperation]>([
    ['a variable', { op: 'add', path: `${POD}/containers/0/env/-`, value: { name: 'B', value: '2' } }],
    ['another value', { op: 'replace', path: `${POD}/containers/0/env/0/value`, value: '2' }],
    ['a limit', { op: 'add', path: `${POD}/containers/0/resources/limits/nvidia\\.com/gpu`, value: '4' }],
    ['an image', { op: 'replace', path: `${POD}/containers/0/image`, value: 'other' }],
    ['a command', { op: 'add', path: `${POD}/containers/0/command`, value: ['x'] }],
    ['a mount', { op: 'add', path: `${POD}/containers/0/volumeMounts/-`, value: { name: 'v', mountPath: '/v' } }],
    ['a volume', { op: 'add', path: `${POD}/volumes/-`, value: { name: 'v', emptyDir: {} } }],
    ['a node selector', { op: 'add', path: `${POD}/nodeSelector/zone`, value: 'a' }],
    ['a toleration', { op: 'add', path: `${POD}/tolerations/-`, value: { key: 'k', operator: 'Exists' } }],
    ['a service account', { op: 'add', path: `${POD}/serviceAccountName`, value: 'me' }],
    ['a label of the pods', { op: 'add', path: `${POD.replace(/\/spec$/, '')}/metadata/labels/a`, value: 'b' }],
    ['a label of the job', { op: 'add', path: '/spec/replicatedJobs/0/template/metadata/labels/a', value: 'b' }],
    ['a label of the JobSet', { op: 'add', path: '/metadata/labels/a', value: 'b' }],
  ])('has %s in fields of its own', (_, operation) => {
    const job = patched(operation)
    const { trainJob, refusals } = lowerTrainJob(job, torch)
    expect(refusals).toEqual([])
    expect(trainJob.metadata.annotations).toBeUndefined()
    const [wanted, found] = [
      render(job, torch, { compat: 'upstream' }),
      render(trainJob, torch, { compat: 'upstream' }),
    ]
    expect(differences(wanted.objects, found.objects)).toEqual([])
    const without = render(aTrainJob({ trainer: job.spec.trainer ?? {} }), torch, { compat: 'upstream' })
    expect(jobSetOf(found.objects)).not.toEqual(jobSetOf(without.objects))
  })

  it.each<[string, JsonPatchOperation, RegExp]>([
    [
      'a field that patches lack',
      { op: 'add', path: '/spec/ttlSecondsAfterFinished', value: 9 },
      /JobSet spec\.ttlSecondsAfterFinished is 9/,
    ],
    [
      'a field of a container that they lack',
      { op: 'add', path: `${POD}/containers/0/workingDir`, value: '/w' },
      /containers\[node\]\.workingDir is "\/w"/,
    ],
    [
      'something taken out',
      { op: 'remove', path: `${POD}/containers/0/ports` },
      /containers\[node\]\.ports\S* is left out/,
    ],
    [
      'a reserved variable',
      { op: 'add', path: `${POD}/containers/0/env/-`, value: { name: 'PET_NNODES', value: '9' } },
      /PET_NNODES/,
    ],
  ])('is refused with %s, by name', (_, operation, message) => {
    const { refusals } = lowerTrainJob(patched(operation), torch)
    expect(refusals.length).toBeGreaterThan(0)
    expect(refusals[0]?.code).toBe('not-in-upstream')
    expect(refusals.map((one) => one.message).join('\n')).toMatch(message)
  })

  it('has what the document says in the runtime: GPUs, processes, environment', () => {
    const runtime = document({ mlPolicy: { torch: { numGPUsPerNode: 2 } } })
    const { trainJob, refusals } = lowerTrainJob(aTrainJob(), runtime)
    expect(refusals).toEqual([])
    expect(trainJob.spec.trainer).toMatchObject({
      numProcPerNode: 2,
      resourcesPerNode: { limits: { 'nvidia.com/gpu': '2' } },
    })
    const plain = { ...runtime, metadata: { name: 'rt' } } as AnyTrainingRuntime
    const { objects } = render(trainJob, plain, { compat: 'upstream' })
    expect(envOf(containerOf(objects))).toMatchObject({ WORLD_SIZE: '4', MASTER_ADDR: 'job-node-0-0.job' })
  })

  it.each([
    ['elastic nodes', { mlPolicy: { torch: { elastic: { minReplicas: 1, maxReplicas: 4 } } } }, /PET_NNODES/],
    [
      'a minMember of its own',
      { mlPolicy: { torch: {} }, podGroupPolicy: { coscheduling: { minMember: 1 } } },
      /PodGroup spec\.minMember is 1/,
    ],
  ])('is refused with %s', (_, spec, message) => {
    const { refusals } = lowerTrainJob(aTrainJob(), document(spec))
    expect(refusals.map((one) => one.message).join('\n')).toMatch(message)
  })

  it('is refused with data that no job of the runtime fetches', () => {
    const { object } = toCanonical({
      ...aTrainJob(),
      spec: { runtimeRef: { name: 'rt' }, initializer: { storageUri: 's3://b/d' } },
    })
    const { refusals } = lowerTrainJob(object as TrainJob, torch)
    expect(refusals.map((one) => one.message).join('\n')).toMatch(/dataset-initializer/)
  })

  it.each(shippedRuntimes().map((runtime) => [runtime.metadata.name ?? '', runtime] as const))(
    'has a variable on %s',
    (_, runtime) => {
      const operation: JsonPatchOperation = {
        op: 'add',
        path: `${POD}/containers/0/env/-`,
        value: { name: 'B', value: '2' },
      }
      const { trainJob } = lowerTrainJob(patched(operation), runtime)
      expect(JSON.stringify(trainJob.spec)).toContain('"name":"B"')
    },
  )

  it('of two managers in the launcher and its workers stays with each job', () => {
    const runtime = aRuntime(
      { mpi: {} },
      { replicatedJobs: [aJob({}, { name: 'launcher' }), aJob({}, { name: 'node', ancestor: '' })] },
    )
    const job = patched({
      op: 'add',
      path: '/spec/replicatedJobs/1/template/spec/template/spec/nodeSelector/a',
      value: 'b',
    })
    const { trainJob, refusals } = lowerTrainJob(job, runtime)
    expect(refusals).toEqual([])
    expect(trainJob.spec.runtimePatches).toMatchObject([
      { trainingRuntimeSpec: { template: { spec: { replicatedJobs: [{ name: 'node' }] } } } },
    ])
  })
})

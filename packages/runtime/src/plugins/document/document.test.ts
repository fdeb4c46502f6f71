import {
  type AnyTrainingRuntime,
  CPUS_ANNOTATION,
  FORM_ANNOTATION,
  GPUS_ANNOTATION,
  type JobSetSpec,
  type MLPolicy,
  PROCESSES_ANNOTATION,
  type TrainJob,
  type TrainJobSpec,
} from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { newInfo } from '../../new-info.ts'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf, jobSetOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'
import { withMinMember } from './min-member.ts'
import { listenOnSshdPort } from './sshd-port.ts'

const DOCUMENT = { [FORM_ANNOTATION]: 'document' }

function runtime(
  annotations: Record<string, string>,
  mlPolicy: MLPolicy = { torch: {} },
  template: JobSetSpec = {},
): AnyTrainingRuntime {
  const canonical = aRuntime(mlPolicy, template)
  return { ...canonical, metadata: { ...canonical.metadata, annotations } }
}

function documentJob(spec: Partial<TrainJobSpec>): TrainJob {
  const job = aTrainJob(spec)
  return { ...job, metadata: { ...job.metadata, annotations: DOCUMENT } }
}

const gpu = (count: number) => ({ resourcesPerNode: { limits: { 'nvidia.com/gpu': count } } })

describe('GPUs of a node', () => {
  const two = runtime({ [GPUS_ANNOTATION]: '2' })

  it('are processes, and a limit where there is none', () => {
    const container = containerOf(render(aTrainJob(), two).objects)
    expect(container.resources).toEqual({ limits: { 'nvidia.com/gpu': '2' } })
    expect(envOf(container)).toMatchObject({ PET_NPROC_PER_NODE: '2' })
  })

  it('must be those of the limit', () => {
    const job = aTrainJob({ trainer: gpu(4) })
    const message = /found a limit of 4 and numGPUsPerNode: 2/
    expect(() => render(job, two)).toThrow(
      expect.objectContaining({ code: 'gpu-count-mismatch', message: expect.stringMatching(message) }),
    )
    expect(validate(job, two).errors).toMatchObject([
      { code: 'gpu-count-mismatch', message: expect.stringMatching(message) },
    ])
    expect(validate(aTrainJob({ trainer: gpu(2) }), two).errors).toEqual([])
  })

  it('do not count against what the job says of processes', () => {
    const { objects } = render(aTrainJob({ trainer: { ...gpu(2), numProcPerNode: 1 } }), two)
    expect(envOf(containerOf(objects))).toMatchObject({ PET_NPROC_PER_NODE: '1' })
  })
})

describe('CPUs of a node', () => {
  it.each([
    ['are asked for where nothing is said', {}, { requests: { cpu: '32' } }],
    ['not beside a request', { requests: { cpu: '1' } }, { requests: { cpu: '1' } }],
    ['not beside a limit', { limits: { cpu: '2' } }, { limits: { cpu: '2' } }],
    ['beside other resources', { limits: { memory: '1Gi' } }, { limits: { memory: '1Gi' }, requests: { cpu: '32' } }],
  ])('%s', (_, resources, expected) => {
    const own = runtime({ [CPUS_ANNOTATION]: '32' }, { torch: {} }, { replicatedJobs: [aJob({ resources })] })
    expect(containerOf(render(aTrainJob(), own).objects).resources).toEqual(expected)
  })
})

describe("PyTorch's own variables", () => {
  it('are set for the document, with the rank where a node is a process', () => {
    const env = envOf(containerOf(render(documentJob({ trainer: { numNodes: 4 } }), runtime({})).objects))
    expect(env).toMatchObject({ MASTER_ADDR: 'job-node-0-0.job', MASTER_PORT: '29500', WORLD_SIZE: '4', RANK: 'from' })
  })

  it('leave the rank to torchrun where a node has more, and say so', () => {
    const job = aTrainJob({ trainer: { numNodes: 4, numProcPerNode: 2 } })
    const { objects, warnings } = render(job, runtime(DOCUMENT))
    expect(envOf(containerOf(objects))).toMatchObject({ WORLD_SIZE: '8' })
    expect(envOf(containerOf(objects)).RANK).toBeUndefined()
    expect(warnings).toMatchObject([{ code: 'rank-left-to-torchrun' }])
    const torchrun = aTrainJob({ trainer: { numProcPerNode: 2, command: ['torchrun', 'x.py'] } })
    expect(render(torchrun, runtime(DOCUMENT)).warnings).toEqual([])
  })

  it('are not set for what is canonical, and not over those of the user', () => {
    expect(Object.keys(envOf(containerOf(render(aTrainJob(), runtime({})).objects)))).not.toContain('MASTER_ADDR')
    const own = [{ name: 'WORLD_SIZE', value: 'mine' }]
    expect(envOf(containerOf(render(documentJob({ trainer: { env: own } }), runtime({})).objects)).WORLD_SIZE).toBe(
      'mine',
    )
  })

  it('take the way to count processes from earlier releases', () => {
    const env = envOf(containerOf(render(aTrainJob(), runtime({ [PROCESSES_ANNOTATION]: 'cpu' })).objects))
    expect(env.PET_NPROC_PER_NODE).toBe('cpu')
  })
})

describe("the document's initializer", () => {
  const initializer = {
    dataset: { storageUri: 's3://b', env: [{ name: 'E', value: '1' }], secretRef: { name: 'keys' } },
  }

  it('runs before training in each pod where the runtime has no job for it', () => {
    const { objects } = render(documentJob({ initializer }), runtime({}))
    const pod = jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.spec
    expect(pod?.volumes).toEqual([{ name: 'initializer', emptyDir: {} }])
    expect(pod?.initContainers).toEqual([
      {
        name: 'dataset-initializer',
        image: 'ghcr.io/kubeflow/trainer/dataset-initializer',
        env: [
          { name: 'STORAGE_URI', value: 's3://b' },
          { name: 'E', value: '1' },
        ],
        envFrom: [{ secretRef: { name: 'keys' } }],
        volumeMounts: [{ name: 'initializer', mountPath: '/workspace/dataset' }],
      },
    ])
    expect(containerOf(objects).volumeMounts).toEqual([{ name: 'initializer', mountPath: '/workspace/dataset' }])
    expect(validate(documentJob({ initializer }), runtime({})).errors).toEqual([])
  })

  it('goes to that job where there is one', () => {
    const name = 'dataset-initializer'
    const jobs = [aJob({ name }, { name, ancestor: name }), aJob()]
    const { objects } = render(documentJob({ initializer }), runtime({}, { torch: {} }, { replicatedJobs: jobs }))
    expect(envOf(containerOf(objects, name, 0))).toEqual({ STORAGE_URI: 's3://b', E: '1' })
    expect(jobSetOf(objects).spec.replicatedJobs?.[1]?.template.spec?.template.spec?.initContainers).toBeUndefined()
  })

  it('of a canonical job still needs that job', () => {
    expect(validate(aTrainJob({ initializer }), runtime({})).errors).toMatchObject([
      { code: 'initializer-not-in-runtime' },
    ])
  })
})

describe('minMember', () => {
  const group = {
    apiVersion: 'scheduling.x-k8s.io/v1alpha1',
    kind: 'PodGroup',
    metadata: {},
    spec: { minMember: 2, other: 1 },
  }
  it.each([
    ['2', 2, []],
    ['1', 1, []],
    ['3', 3, ['gang-never-fits']],
  ])('%s stands in the PodGroup', (minMember, expected, codes) => {
    const info = newInfo(
      aTrainJob({ trainer: { numNodes: 2 } }),
      runtime({ 'trainjob.dev/min-member': minMember }, { numNodes: 2 }),
      {},
    )
    expect(withMinMember(info, [group])).toMatchObject([{ spec: { minMember: expected, other: 1 } }])
    expect(info.warnings.map(({ code }) => code)).toEqual(codes)
  })
})

it("sshd's port is where the workers listen and where the launcher asks", () => {
  const jobs = [
    aJob({ command: ['/usr/sbin/sshd', '-De'], readinessProbe: { tcpSocket: { port: 22 } } }, { ancestor: '' }),
    aJob({ env: [{ name: 'OMPI_MCA_plm_rsh_args', value: '-o X=no' }] }, { name: 'launcher' }),
  ]
  const info = newInfo(
    aTrainJob(),
    runtime({ 'trainjob.dev/sshd-port': '2022' }, { mpi: {} }, { replicatedJobs: jobs }),
    {},
  )
  listenOnSshdPort(info)
  const [worker, launcher] = info.podSets.map(({ containers }) => containers[0])
  expect(worker).toMatchObject({
    command: ['/usr/sbin/sshd', '-De', '-p', '2022'],
    readinessProbe: { tcpSocket: { port: 2022 } },
  })
  expect(launcher?.env).toEqual([{ name: 'OMPI_MCA_plm_rsh_args', value: '-o X=no -p 2022' }])
})

import type { KubernetesObject } from '@trainjob/api'
import { checkCluster } from '@trainjob/controller'
import { ApiError, type Reader, type Resource } from '@trainjob/kube'
import { describe, expect, test } from 'vitest'
import { main } from '../../program.ts'
import { capturedIO } from '../../testing/captured-io.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const API = 'trainer.kubeflow.org/v1alpha1'
const STEP = 'trainer.kubeflow.org/trainjob-ancestor-step'
const GPU = 'nvidia.com/gpu'
const TUNE = 'torchtune-llama3.2-1b'
const command = ['torchrun', 'train.py']

type Fields = Readonly<Record<string, unknown>>

function job(trainer: Fields = {}, { runtime = 'r', ...spec }: Fields & { runtime?: string } = {}): Fields {
  return {
    apiVersion: API,
    kind: 'TrainJob',
    metadata: { name: 'a' },
    spec: { runtimeRef: { name: runtime }, trainer: { command, ...trainer }, ...spec },
  }
}

function runtime(mlPolicy: Fields, spec: Fields = {}, jobs: readonly Fields[] = [replicated('node')]): Fields {
  return {
    apiVersion: API,
    kind: 'ClusterTrainingRuntime',
    metadata: { name: 'r', labels: { 'trainer.kubeflow.org/framework': 'torch' } },
    spec: { mlPolicy, ...spec, template: { spec: { replicatedJobs: jobs } } },
  }
}

function replicated(name: string, more: Fields = {}, { step = 'trainer', pod = {} }: Fields = {}): Fields {
  const labels = step === '' ? {} : { metadata: { labels: { [STEP]: step } } }
  const containers = [{ name: 'node', image: 'i' }]
  return { name, ...more, template: { ...labels, spec: { template: { spec: { containers, ...(pod as Fields) } } } } }
}

const launcher = (more: Fields = {}, pod: Fields = {}): Fields =>
  replicated('launcher', { dependsOn: [{ name: 'node', status: 'Ready' }], ...more }, { pod })
const workers = replicated('node', {}, { step: '' })
const initializer = replicated('dataset-initializer', {}, { step: 'dataset-initializer' })
const patch = (manager: string, pod: Fields, name = 'node'): Fields => ({
  manager,
  trainingRuntimeSpec: {
    template: { spec: { replicatedJobs: [{ name, template: { spec: { template: { spec: pod } } } }] } },
  },
})
const operation = (managerKey: string): Fields => ({
  managerKey,
  patch: [{ op: 'add', path: '/spec/ttlSecondsAfterFinished', value: 60 }],
})
const torch = runtime({ torch: {} })
const mpi = (...jobs: readonly Fields[]): Fields => runtime({ mpi: {} }, {}, jobs)
const multikueue = { managedBy: 'kueue.x-k8s.io/multikueue' }

interface Finding {
  readonly code: string
  readonly path: string
  readonly message: string
}

async function findings(...argv: readonly string[]): Promise<readonly Finding[]> {
  const [files, flags] = [argv.slice(0, 2), argv.slice(2)]
  const cwd = temporaryFolder({ 'a.yaml': files[0] ?? '', 'old.yaml': files[1] ?? '' })
  const { io, stdout } = capturedIO({ cwd })
  await main([...flags, '-f', 'a.yaml', '-o', 'json'], io)
  const { errors, warnings } = JSON.parse(stdout())
  return [...errors, ...warnings]
}

const written = (objects: readonly Fields[]): string => objects.map((one) => JSON.stringify(one)).join('\n---\n')

async function expectFound(objects: readonly Fields[], code: string, path: string, link: string): Promise<void> {
  const found = (await findings(written(objects), '', 'lint')).filter((one) => one.code === code)
  expect(found).toContainEqual({ ...found[0], code, path })
  // what was found, then where upstream says so
  expect(found[0]?.message).toMatch(/^\S.{20,}.* See https:\/\/\S+$/s)
  expect(found[0]?.message).toContain(` See ${link}`)
}

const TRAINER = 'https://github.com/kubeflow/trainer'
const SOURCE = `${TRAINER}/blob/v2.3.0`

type Row = readonly [what: string, objects: readonly Fields[], code: string, path: string, link: string]

describe('the seven common mistakes of the document', () => {
  test('1. another runtime for a job that exists', async () => {
    const [before, after] = [job({}, { runtime: 'torch-distributed' }), job({}, { runtime: 'plain' })]
    const found = await findings(written([after]), written([before]), 'validate', '--old', 'old.yaml')
    expect(found).toEqual([
      expect.objectContaining({
        code: 'immutable',
        path: 'spec.runtimeRef',
        message: expect.stringMatching(/found a change; delete the object and create it anew/),
        line: 1,
      }),
    ])
    expect(await findings(written([before]), written([before]), 'validate', '--old', 'old.yaml')).toEqual([])
  })

  /** What `trainjob doctor` sees of a cluster: objects by kind, or how listing them fails. */
  const cluster = (kinds: Readonly<Record<string, readonly KubernetesObject[] | number>>): Reader =>
    ({
      async list({ kind }: Resource) {
        const items = kinds[kind] ?? []
        if (typeof items !== 'number') return { apiVersion: 'v1', kind: 'List', metadata: {}, items }
        const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no' } as const
        throw new ApiError({ ...status, code: items })
      },
    }) as unknown as Reader
  const deployed = (image: string): KubernetesObject => {
    const spec = { template: { spec: { containers: [{ image }] } } }
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 's', name: 'd' },
      spec,
    } as KubernetesObject
  }

  test.each([
    ['2. JobSet is not installed', { JobSet: 404 }, 'JobSet', /kubectl apply .*https:.*jobset/],
    ['2. JobSet is older than v0.10.1', { Deployment: [deployed('x/jobset:v0.10.0')] }, 'JobSet', /v0\.10\.1.*https:/],
    [
      '5. the gate for progress is off',
      { Deployment: [deployed('x/trainer-controller-manager:v2.3.0')] },
      'progress',
      /TrainJobStatus=true.*https:/,
    ],
    ['7. Kueue is older than v0.12', { Deployment: [deployed('x/kueue:v0.11.9')] }, 'Kueue', /v0\.12\.0.*https:/],
  ])('%s', async (_, kinds, name, text) => {
    const check = (await checkCluster(cluster(kinds))).find((one) => one.name === name)
    expect(check?.state).toMatch(/failed|warning/)
    expect(`${check?.message}: ${check?.todo}`).toMatch(text)
  })

  test.each<Row>([
    [
      '3. no gang on a shared cluster',
      [torch, job({ numNodes: 2 })],
      'no-gang-policy',
      'spec.runtimeRef',
      `${SOURCE}/examples/yaml/04-volcano-integration.yaml`,
    ],
    [
      '4. the GPUs of the runtime and of the job differ',
      [runtime({ torch: { numGPUsPerNode: 2 } }), job({ resources: { limits: { [GPU]: 4 } } })],
      'gpu-count-mismatch',
      'spec.trainer.resourcesPerNode.limits',
      `${SOURCE}/pkg/runtime/framework/plugins/torch/torch.go`,
    ],
    [
      '6. patches of two managers at one place',
      [
        torch,
        job(
          {},
          { runtimePatches: [patch('a/a', { serviceAccountName: 'x' }), patch('b/b', { serviceAccountName: 'y' })] },
        ),
      ],
      'patches-of-several-managers',
      'spec.runtimePatches[1]',
      `${SOURCE}/examples/yaml/02-runtime-patches.yaml`,
    ],
    [
      '6. operations of two managers at one place',
      [torch, job({}, { runtimePatches: [operation('a'), operation('b')] })],
      'patch-conflict',
      'metadata.annotations[trainjob.dev/json-patches]',
      `${SOURCE}/examples/yaml/02-runtime-patches.yaml`,
    ],
    [
      '7. MultiKueue without a queue',
      [torch, job({}, multikueue)],
      'multikueue-without-queue',
      'spec.managedBy',
      'https://kueue.sigs.k8s.io/docs/concepts/multikueue/',
    ],
  ])('%s', async (_, objects, code, path, link) => {
    await expectFound(objects, code, path, link)
  })
})

describe('what manifests show of the known faults of upstream', () => {
  const RUNTIME = 'spec.template.spec.replicatedJobs'
  test.each<Row>([
    [
      'a negative count',
      [torch, job({ numNodes: -1 })],
      'out-of-range',
      'spec.trainer.numNodes',
      `${TRAINER}/issues/3805`,
    ],
    [
      'a name that gets too long',
      [torch, { ...job(), metadata: { name: 'x'.repeat(60) } }],
      'name-too-long',
      'metadata.name',
      `${TRAINER}/issues/2735`,
    ],
    [
      'nodes as replicas',
      [mpi(launcher(), { ...workers, replicas: 2 })],
      'replicas-of-workers',
      `${RUNTIME}[1].replicas`,
      `${TRAINER}/issues/2502`,
    ],
    [
      'thousands of nodes',
      [torch, job({ numNodes: 2000 })],
      'many-nodes',
      'spec.trainer.numNodes',
      `${TRAINER}/issues/2318`,
    ],
    [
      'an initializer that has no volume',
      [
        runtime({ torch: {} }, {}, [initializer, replicated('node')]),
        job({}, { initializer: { dataset: { storageUri: 'hf://x/y' } } }),
      ],
      'initializer-not-in-runtime',
      'spec.runtimeRef',
      `${TRAINER}/issues/3714`,
    ],
    [
      'a variable of Open MPI',
      [mpi(launcher(), workers), job({ env: [{ name: 'OMPI_MCA_orte_keep_fqdn_hostnames', value: 'true' }] })],
      'reserved-env',
      'spec.trainer.env',
      `${TRAINER}/issues/3491`,
    ],
    [
      'LoRA on several nodes',
      [job({ numNodes: 2, command: ['tune', 'run'], args: ['model.lora_attn_modules=[q_proj]'] }, { runtime: TUNE })],
      'torchtune',
      'spec.trainer.numNodes',
      `${TRAINER}/issues/3302`,
    ],
    [
      'python on two nodes',
      [torch, job({ numNodes: 2, command: ['python', 'x.py'] })],
      'no-torchrun',
      'spec.trainer.command',
      `${TRAINER}/issues/3492`,
    ],
    ['no spec.trainer', [torch, withoutTrainer()], 'no-trainer', 'spec', `${TRAINER}/issues/4076`],
    [
      'variables for MPI workers',
      [mpi(launcher(), workers), job({ env: [{ name: 'A', value: '1' }] })],
      'env-of-mpi-workers',
      'spec.trainer.env',
      `${TRAINER}/issues/3427`,
    ],
    [
      'the label of the trainer on MPI workers',
      [mpi(launcher(), replicated('node'))],
      'trainer-label-on-workers',
      `${RUNTIME}[1].template.metadata.labels`,
      `${TRAINER}/issues/4030`,
    ],
    [
      'a launcher that is the only node',
      [runtime({ mpi: { runLauncherAsNode: true } }, {}, [launcher(), workers]), job({ numNodes: 1 })],
      'mpi-on-one-node',
      'spec.trainer.numNodes',
      `${TRAINER}/issues/3954`,
    ],
    [
      'two groups of MPI workers',
      [mpi(launcher(), workers, replicated('large', {}, { step: '' }))],
      'several-worker-groups',
      `${RUNTIME}[2].name`,
      `${TRAINER}/issues/4064`,
    ],
    [
      'a launcher that starts first',
      [mpi(launcher({ dependsOn: [] }), workers)],
      'launcher-does-not-wait',
      `${RUNTIME}[0]`,
      `${TRAINER}/issues/2751`,
    ],
    [
      'a launcher whose container has another name',
      [mpi(launcher({}, { containers: ['mpi', 'side'].map((name) => ({ name, image: 'i' })) }), workers)],
      'launcher-container-name',
      `${RUNTIME}[0].template.spec.template.spec.containers`,
      `${SOURCE}/pkg/runtime/framework/plugins/mpi/mpi.go`,
    ],
    [
      'resources of the job without the GPUs of the runtime',
      [
        runtime({ torch: {} }, {}, [
          replicated(
            'node',
            {},
            { pod: { containers: [{ name: 'node', image: 'i', resources: { limits: { [GPU]: 2 } } }] } },
          ),
        ]),
        job({ resourcesPerNode: { requests: { cpu: 4 } } }),
      ],
      'partial-resources',
      'spec.trainer.resourcesPerNode',
      `${TRAINER}/pull/3974`,
    ],
    [
      'a subdomain of the runtime',
      [{ ...torch, spec: { mlPolicy: { torch: {} }, template: { spec: withSubdomain() } } }],
      'own-subdomain',
      'spec.template.spec.network.subdomain',
      `${SOURCE}/pkg/runtime/framework/plugins/torch/torch.go`,
    ],
    [
      'an image for GPUs, and none asked for',
      [torch, job({ image: 'pytorch/pytorch:2.5.0-cuda12.4' })],
      'gpu-image-without-gpus',
      'spec.trainer',
      'https://github.com/NVIDIA/aicr/issues/2280',
    ],
    [
      'torchrun that knows better',
      [torch, job({ command: ['torchrun', '--standalone', 'x.py'], numNodes: 2 })],
      'torchrun-flags',
      'spec.trainer.command',
      'https://github.com/kubeflow/sdk/issues/142',
    ],
    [
      'a patch of a job that the runtime lacks',
      [torch, job({}, { runtimePatches: [patch('a/a', { nodeSelector: { a: 'b' } }, 'other')] })],
      'unknown-replicated-job',
      'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].name',
      'https://github.com/kubernetes-sigs/kueue/pull/14504',
    ],
    [
      'a time to live of the JobSet',
      [{ ...torch, spec: { mlPolicy: { torch: {} }, template: { spec: withTimeToLive() } } }],
      'ttl-rebuilds-failed-jobs',
      'spec.template.spec.ttlSecondsAfterFinished',
      `${TRAINER}/issues/3737`,
    ],
    [
      'a gang whose pods wait for each other',
      [
        runtime({ torch: {} }, { podGroupPolicy: { volcano: {} } }, [
          initializer,
          replicated('node', { dependsOn: [{ name: 'dataset-initializer', status: 'Complete' }] }),
        ]),
        job(),
      ],
      'gang-never-complete',
      'spec.runtimeRef',
      'https://github.com/kubernetes-sigs/jobset/pull/1253',
    ],
    [
      'several priorities in one gang',
      [
        runtime({ torch: {} }, { podGroupPolicy: { volcano: {} } }, [
          replicated('node', {}, { pod: { priorityClassName: 'high' } }),
          replicated('extra', {}, { step: '' }),
        ]),
      ],
      'several-priorities',
      RUNTIME,
      `${SOURCE}/pkg/runtime/framework/plugins/volcano/volcano.go`,
    ],
  ])('%s', async (_, objects, code, path, link) => {
    await expectFound(objects, code, path, link)
  })

  // what upstream refuses too needs no source
  test.each<readonly [string, readonly Fields[], string, string, RegExp]>([
    [
      'Intel MPI (trainer#1807, #3717)',
      [runtime({ mpi: { mpiImplementation: 'Intel' } }, {}, [launcher(), workers])],
      'invalid-value',
      'spec.mlPolicy.mpi.mpiImplementation',
      /expected OpenMPI/,
    ],
    [
      'a time to live of the TrainJob (trainer#4052)',
      [torch, job({}, { ttlSecondsAfterFinished: 60 })],
      'unknown-field',
      'spec.ttlSecondsAfterFinished',
      /expected runtimeRef, .*activeDeadlineSeconds/,
    ],
    [
      'replicas of an initializer (trainer#2502)',
      [runtime({ torch: {} }, {}, [{ ...initializer, replicas: 2 }, replicated('node')])],
      'invalid-value',
      `${RUNTIME}[0].replicas`,
      /1.*2/,
    ],
    [
      'a name that is no label of DNS (trainer#2734)',
      [torch, { ...job(), metadata: { name: '1.a' } }],
      'invalid-value',
      'metadata.name',
      /1\.a/,
    ],
    [
      'a runtime of an unknown kind',
      [torch, job({}, { runtimeRef: { name: 'r', kind: 'JobSet' } })],
      'runtime-not-found',
      'spec.runtimeRef.name',
      /there is no JobSet "r"/,
    ],
    [
      'limits in the patch of a container (trainer#2744)',
      [torch, job({}, { runtimePatches: [patch('a/a', { containers: [{ name: 'node', resources: {} }] })] })],
      'unknown-field',
      'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources',
      /resources/,
    ],
  ])('%s is refused, with what is expected', async (_, objects, code, path, text) => {
    const found = await findings(written(objects), '', 'lint')
    expect(found).toContainEqual(expect.objectContaining({ code, path, message: expect.stringMatching(text) }))
  })

  test('a job that changes its number of nodes while it is suspended', async () => {
    const [before, after] = [2, 3].map((numNodes) =>
      written([job({ numNodes }, { runtime: 'torch-distributed', suspend: true })]),
    )
    const found = await findings(after ?? '', before ?? '', 'validate', '--old', 'old.yaml')
    expect(found.map(({ code, path }) => [code, path])).toEqual([['immutable', 'spec.trainer']])
  })
})

function withoutTrainer(): Fields {
  const { spec, ...rest } = job()
  const { trainer: _, ...others } = spec as Fields
  return { ...rest, spec: others }
}

function withSubdomain(): Fields {
  return { network: { subdomain: 'x' }, replicatedJobs: [replicated('node')] }
}

function withTimeToLive(): Fields {
  return { ttlSecondsAfterFinished: 60, replicatedJobs: [replicated('node')] }
}

import { describe, expect, it } from 'vitest'
import type { JobSetSpec, ReplicatedJob } from '../kubernetes/jobset.ts'
import type { PodSpec } from '../kubernetes/pod.ts'
import type { AnyTrainingRuntime, TrainingRuntimeSpec, TrainJob, TrainJobSpec } from '../trainer/types.ts'
import { LINT_RULES, lint } from './lint.ts'
import type { LintSubject } from './rule.ts'

const LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step'

function aJob(spec: Partial<TrainJobSpec> = {}, metadata: Partial<TrainJob['metadata']> = {}): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a', ...metadata },
    spec: { runtimeRef: { name: 'r' }, trainer: { command: ['torchrun', 'x.py'] }, ...spec },
  }
}

function replicated(name = 'node', pod: Partial<PodSpec> = {}, ancestor: string | undefined = 'trainer') {
  return {
    name,
    template: {
      ...(ancestor && { metadata: { labels: { [LABEL]: ancestor } } }),
      spec: { template: { spec: { containers: [{ name: 'node' }], ...pod } } },
    },
  }
}

function aRuntime(spec: Partial<TrainingRuntimeSpec> = {}, template: JobSetSpec = {}): AnyTrainingRuntime {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name: 'r', labels: { 'trainer.kubeflow.org/framework': 'torch' } },
    spec: { mlPolicy: { torch: {} }, template: { spec: { replicatedJobs: [replicated()], ...template } }, ...spec },
  }
}

const about = (trainJob: TrainJob, runtime?: AnyTrainingRuntime): LintSubject => ({
  trainJob,
  runtime: runtime ?? aRuntime(),
})
const runtime = (spec: Partial<TrainingRuntimeSpec>, template: JobSetSpec = {}): LintSubject => ({
  trainJob: undefined,
  runtime: aRuntime(spec, template),
})
const patch = (manager: string, pod: object) => ({
  manager,
  trainingRuntimeSpec: {
    template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template: { spec: pod } } } }] } },
  },
})
const gang = { podGroupPolicy: { volcano: {} } }
const mpi = { mlPolicy: { mpi: {} } }
const launcher = (pod: Partial<PodSpec> = {}): ReplicatedJob => ({
  ...replicated('launcher', pod),
  dependsOn: [{ name: 'node', status: 'Ready' }],
})
const workers = replicated('node', {}, '')

const withGpus = { name: 'node', resources: { limits: { 'nvidia.com/gpu': '2' } } }

/** Per rule: what it finds, and where. */
const SAMPLES: readonly (readonly [code: string, path: string, subject: LintSubject])[] = [
  ['multikueue-without-queue', 'spec.managedBy', about(aJob({ managedBy: 'kueue.x-k8s.io/multikueue' }))],
  ['no-trainer', 'spec', { trainJob: { ...aJob(), spec: { runtimeRef: { name: 'r' } } }, runtime: aRuntime() }],
  [
    'no-torchrun',
    'spec.trainer.command',
    about(aJob({ trainer: { command: ['python3', 'x.py'], numProcPerNode: 2 } })),
  ],
  ['torchrun-flags', 'spec.trainer.command', about(aJob({ trainer: { command: ['torchrun', '--nnodes=4', 'x.py'] } }))],
  [
    'patches-of-several-managers',
    'spec.runtimePatches[1]',
    about(
      aJob({ runtimePatches: [patch('a/a', { serviceAccountName: 'x' }), patch('b/b', { serviceAccountName: 'y' })] }),
    ),
  ],
  [
    'tolerations-replaced',
    'spec.runtimePatches[0]',
    about(
      aJob({ runtimePatches: [patch('a/a', { tolerations: [] })] }),
      aRuntime({}, { replicatedJobs: [replicated('node', { tolerations: [{ key: 'k' }] })] }),
    ),
  ],
  [
    'gpus-patched',
    'spec.runtimePatches',
    about(
      aJob(
        {},
        {
          annotations: {
            'trainjob.dev/json-patches': JSON.stringify([
              {
                manager: 'infra',
                patch: [{ op: 'replace', path: '/spec/x/resources/limits/nvidia.com~1gpu', value: 4 }],
              },
            ]),
          },
        },
      ),
    ),
  ],
  ['command-in-one-word', 'spec.trainer.command', about(aJob({ trainer: { command: ['torchrun train.py'] } }))],
  [
    'ancestor-label-on-pods',
    'spec.template.spec.replicatedJobs[1].template.spec.template.metadata.labels',
    runtime({}, { replicatedJobs: [replicated(), labelledPods()] }),
  ],
  [
    'gpu-image-without-gpus',
    'spec.trainer',
    about(aJob({ trainer: { command: ['torchrun', 'x.py'], image: 'pytorch/pytorch:2.5.0-cuda12.4' } })),
  ],
  [
    'many-nodes',
    'spec.trainer.numNodes',
    about(aJob({ trainer: { numNodes: 2000 } }), aRuntime({ podGroupPolicy: { coscheduling: {} } })),
  ],
  ['no-gang-policy', 'spec.runtimeRef', about(aJob({ trainer: { numNodes: 2 } }))],
  [
    'gang-with-dependencies',
    'spec.template.spec.replicatedJobs[0].dependsOn',
    runtime(gang, {
      replicatedJobs: [
        { ...replicated('node', { schedulerName: 'volcano' }), dependsOn: [{ name: 'x', status: 'Complete' }] },
      ],
    }),
  ],
  ['gang-without-scheduler', 'spec.template.spec.replicatedJobs[0]', runtime(gang)],
  [
    'several-priorities',
    'spec.template.spec.replicatedJobs',
    runtime(gang, {
      replicatedJobs: [
        replicated('node', { schedulerName: 'volcano', priorityClassName: 'high' }),
        replicated('extra', { schedulerName: 'volcano' }, ''),
      ],
    }),
  ],
  ['no-ml-policy', 'spec', { trainJob: undefined, runtime: withoutPolicy() }],
  ['no-trainer-job', 'spec.template.spec.replicatedJobs', runtime({}, { replicatedJobs: [replicated('x', {}, '')] })],
  [
    'replicas-of-workers',
    'spec.template.spec.replicatedJobs[1].replicas',
    runtime(mpi, { replicatedJobs: [launcher(), { ...workers, replicas: 2 }] }),
  ],
  [
    'several-worker-groups',
    'spec.template.spec.replicatedJobs[2].name',
    runtime(mpi, { replicatedJobs: [launcher(), workers, replicated('large', {}, '')] }),
  ],
  [
    'launcher-does-not-wait',
    'spec.template.spec.replicatedJobs[0]',
    runtime(mpi, { replicatedJobs: [replicated('launcher'), workers] }),
  ],
  [
    'launcher-container-name',
    'spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers',
    runtime(mpi, { replicatedJobs: [launcher({ containers: [{ name: 'mpi' }] }), workers] }),
  ],
  [
    'partial-resources',
    'spec.trainer.resourcesPerNode',
    about(
      aJob({ trainer: { resourcesPerNode: { requests: { cpu: '4' } } } }),
      aRuntime({}, { replicatedJobs: [replicated('node', { containers: [withGpus] })] }),
    ),
  ],
  [
    'ttl-rebuilds-failed-jobs',
    'spec.template.spec.ttlSecondsAfterFinished',
    runtime({}, { ttlSecondsAfterFinished: 1 }),
  ],
  ['own-subdomain', 'spec.template.spec.network.subdomain', runtime({}, { network: { subdomain: 'x' } })],
  ['no-framework-label', 'metadata', { trainJob: undefined, runtime: { ...aRuntime(), metadata: { name: 'r' } } }],
  [
    'trainer-label-on-workers',
    'spec.template.spec.replicatedJobs[1].template.metadata.labels',
    runtime(mpi, { replicatedJobs: [launcher(), replicated()] }),
  ],
  [
    'env-of-mpi-workers',
    'spec.trainer.env',
    about(aJob({ trainer: { env: [{ name: 'A', value: '1' }] } }), aRuntime(mpi)),
  ],
  [
    'mpi-on-one-node',
    'spec.trainer.numNodes',
    about(aJob({ trainer: { numNodes: 1 } }), aRuntime({ mlPolicy: { mpi: { runLauncherAsNode: true } } })),
  ],
  [
    'runtime-kind-left-out',
    'spec.runtimeRef',
    about(aJob(), { ...aRuntime(), kind: 'TrainingRuntime' } as AnyTrainingRuntime),
  ],
]

function labelledPods() {
  const job = replicated('dataset-initializer', {}, '')
  const template = { metadata: { labels: { [LABEL]: 'dataset-initializer' } }, ...job.template.spec.template }
  return { ...job, template: { spec: { template } } }
}

function withoutPolicy(): AnyTrainingRuntime {
  const { mlPolicy: _, ...spec } = aRuntime().spec
  return { ...aRuntime(), spec }
}

describe('lint', () => {
  it.each(SAMPLES)('%s: at %s, and nothing else', (code, path, subject) => {
    const found = lint(subject)
    expect(found.map((issue) => [issue.code, issue.path])).toEqual([[code, path]])
    expect(found[0]?.message).toMatch(/ To do: .* See https:\/\//)
  })

  it('has a sample of every rule', () => {
    expect(SAMPLES.map(([code]) => code).toSorted()).toEqual(LINT_RULES.map(({ code }) => code).toSorted())
  })

  it('has nothing to say about a job and a runtime as they should be', () => {
    expect(lint(about(aJob()))).toEqual([])
    expect(lint(runtime({}))).toEqual([])
    const fetches = replicated('dataset-initializer', {}, 'dataset-initializer')
    expect(lint(runtime(mpi, { replicatedJobs: [fetches, launcher(), workers] }))).toEqual([])
    const resourcesPerNode = { limits: { 'nvidia.com/gpu': 1 } }
    const gpus = aRuntime({}, { replicatedJobs: [replicated('node', { containers: [withGpus] })] })
    expect(lint(about(aJob({ trainer: { resourcesPerNode } }), gpus))).toEqual([])
    expect(lint(about(aJob({ trainer: { numNodes: 2 } }, { labels: { 'kueue.x-k8s.io/queue-name': 'q' } })))).toEqual(
      [],
    )
  })

  it('takes any object that is valid, however little is in it', () => {
    const bare = { apiVersion: 'trainer.kubeflow.org/v1alpha1', metadata: {}, spec: {} }
    expect(() => lint({ trainJob: undefined, runtime: { ...bare, kind: 'TrainingRuntime' } })).not.toThrow()
    expect(() =>
      lint({ trainJob: { ...bare, kind: 'TrainJob', spec: { runtimeRef: { name: 'r' } } }, runtime: undefined }),
    ).not.toThrow()
  })
})

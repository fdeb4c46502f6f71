import type { AnyTrainingRuntime, JobSet, KubernetesObject, TrainJob } from '@trainjob/api'
import fc from 'fast-check'
import type { Question } from '../oracle/oracle.ts'
import { env, partial, podSpec, podSpecPatch, resources, templateMetadata } from './pod-arbitrary.ts'
import { repaired } from './repair.ts'

/** The names a replicated job of a runtime has in one generated question. */
interface JobShape {
  readonly name: string
  readonly ancestor?: string
  readonly containers: readonly string[]
  readonly initContainers: readonly string[]
}

const jobShape: fc.Arbitrary<JobShape> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constantFrom('node', 'node', 'node', 'worker'),
      ancestor: fc.constant('trainer'),
      containers: fc.constantFrom(['node'], ['node'], ['node', 'sidecar'], ['sidecar', 'node'], ['main']),
      initContainers: fc.constantFrom([], [], ['setup'], ['setup', 'proxy'], ['flux-installer']),
    }),
  },
  ...['dataset-initializer', 'model-initializer'].map((name) => ({
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant(name),
      ancestor: fc.constant(name),
      containers: fc.constantFrom([name], [name], [name, 'sidecar'], ['other']),
      initContainers: fc.constant([]),
    }),
  })),
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constant('launcher'),
      ancestor: fc.constantFrom('trainer', 'trainer', ''),
      containers: fc.constantFrom(['node'], ['node', 'launcher'], ['main']),
      initContainers: fc.constantFrom([], ['setup']),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constantFrom('node', 'extra'),
      containers: fc.constantFrom(['node'], ['main']),
      initContainers: fc.constant([]),
    }),
  },
) as fc.Arbitrary<JobShape>

const jobShapes = fc.uniqueArray(jobShape, { minLength: 1, maxLength: 3, selector: ({ name }) => name })

const count = fc.constantFrom(1, 2, 4)

function replicatedJob({
  name,
  ancestor,
  containers,
  initContainers,
}: JobShape): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record({
      top: partial({ replicas: fc.constantFrom(1, 1, 1, 2), groupName: fc.constantFrom('default', 'g') }),
      metadata: templateMetadata,
      jobSpec: partial({
        parallelism: count,
        completions: count,
        backoffLimit: fc.constantFrom(0, 3),
        completionMode: fc.constantFrom('Indexed', 'NonIndexed'),
        suspend: fc.boolean(),
        ttlSecondsAfterFinished: fc.constantFrom(0, 10),
        podFailurePolicy: fc.record({
          rules: fc.constantFrom(
            [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
            [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }],
          ),
        }),
      }),
      podMetadata: fc.option(templateMetadata, { nil: undefined }),
      spec: podSpec(containers, initContainers),
    })
    .map(({ top, metadata, jobSpec, podMetadata, spec }) => ({
      name,
      ...top,
      template: {
        metadata: ancestor
          ? { ...metadata, labels: { ...metadata.labels, 'trainer.kubeflow.org/trainjob-ancestor-step': ancestor } }
          : metadata,
        spec: { ...jobSpec, template: { ...(podMetadata && { metadata: podMetadata }), spec } },
      },
    }))
}

const jobSetFields = partial({
  network: partial({
    enableDNSHostnames: fc.boolean(),
    subdomain: fc.constantFrom('net', ''),
    publishNotReadyAddresses: fc.boolean(),
  }),
  failurePolicy: partial({
    maxRestarts: fc.constantFrom(0, 3),
    rules: fc.constantFrom([], [{ name: 'r', action: 'FailJobSet' }]),
  }),
  startupPolicy: fc.constant({ startupPolicyOrder: 'InOrder' }),
  successPolicy: partial({ operator: fc.constant('All'), targetReplicatedJobs: fc.constantFrom([], ['node']) }, [
    'operator',
  ]),
  ttlSecondsAfterFinished: fc.constantFrom(0, 60),
  suspend: fc.boolean(),
  volumeClaimPolicies: fc.constantFrom(
    [],
    [
      {
        templates: [
          {
            metadata: { name: 'initializer' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20480Mi' } } },
          },
        ],
        retentionPolicy: {},
      },
    ],
  ),
})

function mlPolicy(shapes: readonly JobShape[]): fc.Arbitrary<Record<string, unknown> | undefined> {
  const targets = fc
    .subarray(
      shapes.map(({ name, containers, initContainers }) => ({
        jobName: name,
        containerNames: [...containers, ...initContainers].filter((container) => container !== 'node'),
      })),
    )
    .chain((known) => fc.constantFrom(known, known, [...known, { jobName: 'missing', containerNames: ['x'] }]))
  const torch = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    targets.map((list) => ({ envInjection: list.length === 0 ? {} : { targets: list } })),
  )
  const numNodes = partial({ numNodes: count })
  const framework = fc.oneof(
    { weight: 4, arbitrary: fc.record({ torch }) },
    { weight: 4, arbitrary: fc.record({ mpi }) },
    { weight: 1, arbitrary: fc.record({ jax: fc.constant({}) }) },
    { weight: 2, arbitrary: fc.record({ xgboost: fc.constant({}) }) },
    { weight: 3, arbitrary: fc.record({ flux: partial({ numProcPerNode: fc.constantFrom(1, 2) }) }) },
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: numNodes },
    { weight: 8, arbitrary: fc.tuple(numNodes, framework).map(([nodes, policy]) => ({ ...nodes, ...policy })) },
  )
}

const mpi = partial({
  numProcPerNode: fc.constantFrom(1, 1, 2),
  mpiImplementation: fc.constantFrom('OpenMPI', 'OpenMPI', 'OpenMPI', ''),
  sshAuthMountPath: fc.constantFrom('/root/.ssh', '/home/mpiuser/.ssh'),
  runLauncherAsNode: fc.boolean(),
})

const podGroupPolicy = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.record({ coscheduling: partial({ scheduleTimeoutSeconds: fc.constantFrom(0, 30) }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      volcano: partial({
        networkTopology: partial({
          mode: fc.constantFrom('hard', 'soft'),
          highestTierAllowed: fc.constantFrom(0, 1, 2),
        }),
      }),
    }),
  },
)

const queue = partial({ 'scheduling.volcano.sh/queue-name': fc.constantFrom('q', 'q', '') })

function runtime(shapes: readonly JobShape[], name: string): fc.Arbitrary<AnyTrainingRuntime> {
  return fc
    .record({
      namespaced: fc.boolean(),
      labels: fc.constantFrom({}, { 'trainer.kubeflow.org/support': 'deprecated' }),
      policy: mlPolicy(shapes),
      podGroup: podGroupPolicy,
      metadata: fc.option(
        fc.tuple(templateMetadata, queue).map(([metadata, annotations]) => ({
          ...metadata,
          annotations: { ...metadata.annotations, ...annotations },
        })),
        { nil: undefined },
      ),
      fields: jobSetFields,
      jobs: fc.tuple(...shapes.map(replicatedJob)),
    })
    .map(({ namespaced, labels, policy, podGroup, metadata, fields, jobs }) => ({
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: namespaced ? 'TrainingRuntime' : 'ClusterTrainingRuntime',
      metadata: { name, ...(namespaced && { namespace: 'ns' }), labels },
      spec: {
        ...(policy && { mlPolicy: policy }),
        ...(podGroup && { podGroupPolicy: podGroup }),
        template: { ...(metadata && { metadata }), spec: { ...fields, replicatedJobs: jobs } },
      },
    })) as unknown as fc.Arbitrary<AnyTrainingRuntime>
}

const initializer = partial({
  storageUri: fc.constantFrom('hf://a/b', 's3://c'),
  env: env(fc.constantFrom('A', 'STORAGE_URI')),
  secretRef: fc.record({ name: fc.constant('s') }),
})

/** Of a torchtune runtime, or not. */
const runtimeName = fc.oneof(
  { weight: 3, arbitrary: fc.constant('rt') },
  fc.constantFrom('torchtune-llama3.2-1b', 'torchtune-llama3.3-70b', 'torchtune-qwen2.5-1.5b', 'torchtune-gpt-2'),
)

const tuneArgs = fc.subarray([
  'model.lora_attn_modules=[q_proj]',
  'model.quantize_base=True',
  'model.use_dora=True',
  'output_dir=/x',
])

const trainer = partial({
  image: fc.constantFrom('own', ''),
  command: fc.constantFrom([], ['python', 'train.py'], ['tune', 'run']),
  args: fc.oneof(fc.constantFrom([], ['--epochs', '3']), tuneArgs),
  env: fc.oneof(
    { weight: 5, arbitrary: env(fc.constantFrom('A', 'B', 'C')) },
    { weight: 1, arbitrary: env(fc.constantFrom('A', 'PET_NNODES', 'PET_MASTER_PORT')) },
    { weight: 1, arbitrary: env(fc.constantFrom('A', 'DMLC_TASK_ID', 'OMPI_MCA_plm_rsh_args', 'JAX_PROCESS_ID')) },
    { weight: 1, arbitrary: env(fc.constantFrom('FLUX_VIEW_IMAGE', 'FLUX_QUEUE_POLICY')) },
  ),
  numNodes: fc.constantFrom(1, 2, 4, 8),
  numProcPerNode: fc.constantFrom(1, 1, 4, 4, 0),
  resourcesPerNode: resources,
})

function runtimePatches(shapes: readonly JobShape[]): fc.Arbitrary<Record<string, unknown>[]> {
  const stranger: JobShape = { name: 'stranger', containers: ['node'], initContainers: [] }
  const jobPatches = fc
    .oneof(
      { weight: 9, arbitrary: fc.subarray([...shapes]) },
      { weight: 1, arbitrary: fc.constant<JobShape[]>([...shapes, stranger]) },
    )
    .chain((chosen) => fc.shuffledSubarray<JobShape>(chosen, { minLength: chosen.length }))
    .chain((chosen) => fc.tuple(...chosen.map(jobPatch)))
  const patch = partial({
    time: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
    trainingRuntimeSpec: partial({
      template: partial({ metadata: templateMetadata, spec: partial({ replicatedJobs: jobPatches }) }),
    }),
  })
  const managers = fc.uniqueArray(fc.constantFrom('a.io/x', 'b.io/y/z', 'A.io/x', 'plain', 'c.io/ '), { maxLength: 2 })
  return managers.chain((names) => fc.tuple(...names.map((manager) => patch.map((rest) => ({ manager, ...rest })))))
}

function jobPatch({ name, containers, initContainers }: JobShape): fc.Arbitrary<Record<string, unknown>> {
  return partial({
    template: partial({
      metadata: templateMetadata,
      spec: partial({
        template: partial({ metadata: templateMetadata, spec: podSpecPatch(containers, initContainers) }),
      }),
    }),
  }).map((rest) => ({ name, ...rest }))
}

const existing = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant([]) },
      fc.boolean().map((suspend) => [existingJobSet(suspend)]),
    ),
    fc.subarray([
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'job-mpi-ssh-auth', namespace: 'ns' } },
      { apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup', metadata: { name: 'job', namespace: 'ns' } },
      { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup', metadata: { name: 'job', namespace: 'ns' } },
    ]),
    fc.constantFrom(['high', 'low'], ['high', 'low'], ['high', 'low'], ['high'], []),
  )
  .map(([jobSets, others, classes]): readonly KubernetesObject[] => [
    ...jobSets,
    ...others,
    ...classes.map((name) => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: 1,
    })),
  ])

function existingJobSet(suspend: boolean): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'job', namespace: 'ns' },
    spec: { suspend, replicatedJobs: [] },
    status: {
      replicatedJobsStatus: [
        { name: 'node', ready: 0, succeeded: 0, failed: 0, active: suspend ? 0 : 1, suspended: 0 },
      ],
    },
  }
}

/** Anything that the schema allows. */
const wild: fc.Arbitrary<Question> = fc.tuple(jobShapes, runtimeName).chain(([shapes, name]) =>
  fc
    .record({
      runtime: runtime(shapes, name),
      objects: existing,
      spec: partial({
        trainer,
        initializer: partial({ dataset: initializer, model: initializer }),
        runtimePatches: runtimePatches(shapes),
        suspend: fc.boolean(),
      }),
      withUid: fc.boolean(),
      statusServer: fc.option(fc.constant('-----BEGIN CERTIFICATE-----\n'), { nil: undefined, freq: 4 }),
    })
    .map(({ runtime: template, objects, spec, withUid, statusServer }) => ({
      runtimes: [template],
      objects,
      ...(statusServer !== undefined && { statusServer }),
      trainJob: {
        apiVersion: 'trainer.kubeflow.org/v1alpha1',
        kind: 'TrainJob',
        metadata: { name: 'job', namespace: 'ns', ...(withUid && { uid: 'u-1' }) },
        spec: { runtimeRef: { name, kind: template.kind }, ...spec },
      } as unknown as TrainJob,
    })),
)

/** A TrainJob, its runtime and what there is in the cluster, over all of the API; more often valid than not. */
export const question: fc.Arbitrary<Question> = fc
  .tuple(wild, fc.constantFrom(true, true, true, false))
  .map(([asked, isSane]) => (isSane ? repaired(asked) : asked))

/** The same job before and after an update. */
export const update: fc.Arbitrary<Question> = question.chain((before) =>
  fc
    .record({
      patches: runtimePatches([{ name: 'node', containers: ['node'], initContainers: [] }]),
      same: fc.boolean(),
      suspend: fc.boolean(),
      // the runtime before: upstream looks at what it becomes, whatever that is
      oldRuntime: fc.constantFrom('same', 'other', 'none'),
      active: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map(({ patches, same, suspend, oldRuntime, active }) => ({
      ...before,
      oldRuntimes: before.runtimes.map((one) =>
        oldRuntime === 'none' ? null : oldRuntime === 'same' ? one : { ...one, spec: { ...one.spec, mlPolicy: {} } },
      ),
      objects: active === undefined ? [] : [existingJobSet(!active)],
      oldTrainJob: before.trainJob,
      trainJob: {
        ...before.trainJob,
        spec: { ...before.trainJob.spec, suspend, ...(!same && { runtimePatches: patches }) },
      } as unknown as TrainJob,
    })),
)

import type { JobSetSpec, MLPolicy, PodGroupPolicy, TrainJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { DEVIATIONS, type DeviationId } from './deviations.ts'
import { RenderError } from './error.ts'
import { render } from './render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, deepFrozen, envOf, jobSetOf } from './testing/objects.ts'

describe('render', () => {
  it('makes a JobSet that the TrainJob owns', () => {
    const { objects, podSets, warnings } = render(aTrainJob({ trainer: { numNodes: 2 } }), aRuntime({ numNodes: 1 }))
    expect(objects).toEqual([
      {
        apiVersion: 'jobset.x-k8s.io/v1alpha2',
        kind: 'JobSet',
        metadata: {
          name: 'job',
          namespace: 'ns',
          ownerReferences: [
            {
              apiVersion: 'trainer.kubeflow.org/v1alpha1',
              kind: 'TrainJob',
              name: 'job',
              uid: 'u-1',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: {
          suspend: false,
          replicatedJobs: [
            {
              name: 'node',
              groupName: 'default',
              replicas: 1,
              template: {
                metadata: { labels: { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' } },
                spec: {
                  parallelism: 2,
                  completions: 2,
                  template: { metadata: {}, spec: { containers: [{ name: 'node', image: 'img', resources: {} }] } },
                },
              },
            },
          ],
        },
      },
    ])
    expect(podSets).toEqual([{ name: 'node', ancestor: 'trainer', count: 2 }])
    expect(warnings).toEqual([])
  })

  it('never writes to its arguments', () => {
    const trainJob = aTrainJob({
      trainer: { command: ['x'], env: [{ name: 'A', value: '1' }], resourcesPerNode: { limits: { cpu: '2' } } },
      initializer: { dataset: { storageUri: 'hf://a', secretRef: { name: 's' } } },
      runtimePatches: [patch({ replicatedJobs: [{ name: 'node', template: { metadata: { labels: { a: 'b' } } } }] })],
    })
    const runtime = aRuntime(
      {
        torch: {
          envInjection: { targets: [{ jobName: 'dataset-initializer', containerNames: ['dataset-initializer'] }] },
        },
      },
      {
        replicatedJobs: [
          aJob({ env: [{ name: 'B' }], ports: [{ containerPort: 1 }, { containerPort: 2 }] }),
          aJob(
            { name: 'dataset-initializer', envFrom: [] },
            { name: 'dataset-initializer', ancestor: 'dataset-initializer' },
          ),
        ],
      },
    )
    for (const options of [{}, { compat: 'upstream' } as const]) {
      const once = JSON.stringify(render(deepFrozen(trainJob), deepFrozen(runtime), options))
      expect(JSON.stringify(render(trainJob, runtime, options))).toBe(once)
    }
  })

  it('joins labels and annotations of the template and of the patches', () => {
    const runtime = aRuntime()
    const template = { ...runtime.spec.template, metadata: { labels: { a: '1', b: '1' }, annotations: { x: '1' } } }
    const job = aTrainJob({
      runtimePatches: [
        { manager: 'a.io/x', trainingRuntimeSpec: { template: { metadata: { labels: { b: '2' } } } } },
        {
          manager: 'b.io/x',
          trainingRuntimeSpec: { template: { metadata: { labels: { b: '3' }, annotations: { y: '1' } } } },
        },
        { manager: 'c.io/x' },
      ],
    })
    const { metadata } = jobSetOf(render(job, { ...runtime, spec: { template } }).objects)
    expect(metadata).toMatchObject({ labels: { a: '1', b: '3' }, annotations: { x: '1', y: '1' } })
  })

  it('merges patches in order and keeps the order of the jobs', () => {
    const runtime = aRuntime(undefined, { replicatedJobs: [aJob({}, { name: 'first', ancestor: '' }), aJob()] })
    const job = aTrainJob({
      runtimePatches: [
        patch({ replicatedJobs: [podPatch('node', { nodeSelector: { pool: 'a', zone: 'z' } })] }),
        patch({
          replicatedJobs: [podPatch('node', { nodeSelector: { pool: 'b' }, tolerations: [{ operator: 'Exists' }] })],
        }),
      ],
    })
    const jobs = jobSetOf(render(job, runtime).objects).spec.replicatedJobs ?? []
    expect(jobs.map(({ name }) => name)).toEqual(['first', 'node'])
    expect(jobs[1]?.template.spec?.template.spec).toMatchObject({
      nodeSelector: { pool: 'b', zone: 'z' },
      tolerations: [{ operator: 'Exists' }],
    })
  })

  it('takes suspend from the TrainJob, whatever the runtime says', () => {
    const runtime = aRuntime(undefined, { suspend: true })
    expect(jobSetOf(render(aTrainJob(), runtime).objects).spec.suspend).toBe(false)
    expect(jobSetOf(render(aTrainJob({ suspend: true }), runtime).objects).spec.suspend).toBe(true)
  })

  it('counts pods: numNodes of the job, of the policy, else the parallelism that the runtime asks for', () => {
    const runtime = aRuntime({ numNodes: 3 }, { replicatedJobs: [aJob(), aJob({}, { name: 'other', ancestor: '' })] })
    const other = runtime.spec.template?.spec?.replicatedJobs?.[1]?.template.spec
    if (other) other.parallelism = 5
    const counts = (job: TrainJob): unknown => render(job, runtime).podSets.map(({ count }) => count)
    expect(counts(aTrainJob())).toEqual([3, 5])
    expect(counts(aTrainJob({ trainer: { numNodes: 7 } }))).toEqual([7, 5])
  })

  it.each<[string, MLPolicy | undefined, PodGroupPolicy | undefined]>([
    ['spec.mlPolicy.mpi', { mpi: {} }, undefined],
    ['spec.mlPolicy.jax', { jax: {} }, undefined],
    ['spec.mlPolicy.xgboost', { xgboost: {} }, undefined],
    ['spec.mlPolicy.flux', { flux: {} }, undefined],
    ['spec.podGroupPolicy.coscheduling', undefined, { coscheduling: {} }],
    ['spec.podGroupPolicy.volcano', undefined, { volcano: {} }],
  ])('refuses %s by name', (path, mlPolicy, podGroupPolicy) => {
    const runtime = aRuntime(mlPolicy)
    if (podGroupPolicy) runtime.spec.podGroupPolicy = podGroupPolicy
    const error = thrownBy(() => render(aTrainJob(), runtime))
    expect(error).toBeInstanceOf(RenderError)
    expect(error).toMatchObject({ code: 'not-supported-yet', path, message: expect.stringContaining('runtime rt') })
  })

  it.each([
    [false, false, 0],
    [true, false, 1],
    [false, true, 1],
    [undefined, undefined, 0],
  ])('with a JobSet there, job suspended %s and JobSet suspended %s, renders %i objects', (job, jobSet, expected) => {
    const trainJob = aTrainJob(job === undefined ? {} : { suspend: job })
    const existing = {
      ...jobSetOf(render(trainJob, aRuntime()).objects),
      spec: jobSet === undefined ? {} : { suspend: jobSet },
    }
    const { objects, podSets } = render(trainJob, aRuntime(), { facts: { objects: [existing] } })
    expect(objects).toHaveLength(expected)
    expect(podSets).toHaveLength(1)
  })

  it('looks at the JobSet of the same name and namespace only', () => {
    const [existing] = render(aTrainJob(), aRuntime()).objects
    const elsewhere = { ...existing, metadata: { name: 'job', namespace: 'other' } } as NonNullable<typeof existing>
    expect(render(aTrainJob(), aRuntime(), { facts: { objects: [elsewhere] } }).objects).toHaveLength(1)
  })
})

/** Each deliberate difference: what upstream renders, and what we do. */
describe('deviations', () => {
  const twoPorts = [{ containerPort: 1 }, { containerPort: 2 }]
  const portsOf = (trainJob: TrainJob, template: JobSetSpec, compat?: 'upstream'): unknown =>
    containerOf(render(trainJob, aRuntime(undefined, template), compat ? { compat } : {}).objects).ports

  const shown: Readonly<Record<DeviationId, (compat?: 'upstream') => unknown>> = {
    'env-without-trainer': (compat) => Object.keys(envOf(node(aTrainJob(), aRuntime({ torch: {} }), compat))).length,
    'process-count-from-merged-resources': (compat) =>
      envOf(
        node(
          aTrainJob({ trainer: { resourcesPerNode: { requests: { memory: '1Gi' } } } }),
          aRuntime({ torch: {} }, { replicatedJobs: [aJob({ resources: { requests: { cpu: '4' } } })] }),
          compat,
        ),
      ).PET_NPROC_PER_NODE,
    'master-address-of-the-trainer-job': (compat) =>
      envOf(
        node(
          aTrainJob({ trainer: {} }),
          aRuntime({ torch: {} }, { network: { subdomain: 'net' }, replicatedJobs: [aJob({}, { name: 'worker' })] }),
          compat,
        ),
      ).PET_MASTER_ADDR,
    'unnamed-ports': (compat) => portsOf(aTrainJob(), { replicatedJobs: [aJob({ ports: twoPorts })] }, compat),
    'resources-without-policy': (compat) =>
      node(aTrainJob({ trainer: { resourcesPerNode: { limits: { cpu: 2 } } } }), aRuntime(), compat).resources,
    'resource-claims': (compat) =>
      node(
        aTrainJob({ trainer: { resourcesPerNode: { claims: [{ name: 'own' }] } } }),
        aRuntime({}, { replicatedJobs: [aJob({ resources: { claims: [{ name: 'gpu' }] } })] }),
        compat,
      ).resources,
    'env-from-file-key': (compat) =>
      node(
        aTrainJob({
          trainer: { env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } }] },
        }),
        aRuntime(),
        compat,
      ).env,
  }

  it.each<[DeviationId, unknown, unknown]>([
    ['env-without-trainer', 0, 5],
    ['process-count-from-merged-resources', '1', '4'],
    ['master-address-of-the-trainer-job', 'job-node-0-0.job', 'job-worker-0-0.net'],
    [
      'unnamed-ports',
      [
        { containerPort: 2, protocol: 'TCP' },
        { containerPort: 2, protocol: 'TCP' },
      ],
      [
        { containerPort: 1, protocol: 'TCP' },
        { containerPort: 2, protocol: 'TCP' },
      ],
    ],
    ['resources-without-policy', {}, { limits: { cpu: '2' } }],
    ['resource-claims', {}, { claims: [{ name: 'gpu' }, { name: 'own' }] }],
    [
      'env-from-file-key',
      [{ name: 'A', valueFrom: {} }],
      [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } }],
    ],
  ])('%s', (id, upstream, ours) => {
    expect(shown[id]('upstream')).toEqual(upstream)
    expect(shown[id]()).toEqual(ours)
  })

  it('are all in the table', () => {
    expect(DEVIATIONS.map(({ id }) => id).toSorted()).toEqual(Object.keys(shown).toSorted())
  })

  function node(trainJob: TrainJob, runtime: ReturnType<typeof aRuntime>, compat?: 'upstream') {
    return containerOf(render(trainJob, runtime, compat ? { compat } : {}).objects)
  }
})

type RuntimePatch = NonNullable<TrainJob['spec']['runtimePatches']>[number]
type SpecPatch = NonNullable<NonNullable<NonNullable<RuntimePatch['trainingRuntimeSpec']>['template']>['spec']>
type JobPatch = NonNullable<SpecPatch['replicatedJobs']>[number]
type PodPatch = NonNullable<NonNullable<NonNullable<NonNullable<JobPatch['template']>['spec']>['template']>['spec']>

function patch(spec: SpecPatch): RuntimePatch {
  return { manager: 'example.com/x', trainingRuntimeSpec: { template: { spec } } }
}

function podPatch(name: string, spec: PodPatch): JobPatch {
  return { name, template: { spec: { template: { spec } } } }
}

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

import type { ConfigMap, JobSetSpec, MLPolicy, MPIPolicy, TrainJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { DEVIATIONS, type DeviationId } from './deviations.ts'
import type { RenderError } from './error.ts'
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
    'one-launcher': (compat) => podsOf(aTrainJob(), mpiRuntime({}, { numNodes: 3 }), compat),
    'launcher-as-only-node': (compat) =>
      podsOf(aTrainJob({ trainer: { numNodes: 1 } }), mpiRuntime({ runLauncherAsNode: true }), compat),
    'env-in-mpi-workers': (compat) => {
      const { objects } = render(
        aTrainJob({ trainer: { env: [{ name: 'A', value: '1' }] } }),
        mpiRuntime({}),
        compat ? { compat } : {},
      )
      return [envOf(containerOf(objects)).A, envOf(containerOf(objects, 'node', 1)).OMPI_MCA_mca_base_env_list]
    },
    'flux-without-trainer': (compat) => {
      try {
        return node(aTrainJob(), aRuntime({ numNodes: 2, flux: {} }), compat).command?.[1]
      } catch (error) {
        return (error as RenderError).code
      }
    },
    'flux-exit-code': (compat) =>
      render(aTrainJob({ trainer: { numNodes: 1 } }), aRuntime({ flux: {} }), compat ? { compat } : {})
        .objects.flatMap((object) => Object.values((object as ConfigMap).data ?? {}))
        .some((script) => script.endsWith('exit "$status"\n')),
    'gang-of-those-who-start-together': (compat) => {
      const data = aJob(
        { name: 'dataset-initializer' },
        { name: 'dataset-initializer', ancestor: 'dataset-initializer' },
      )
      const main = { ...aJob(), dependsOn: [{ name: data.name, status: 'Complete' as const }] }
      const runtime = aRuntime({ numNodes: 4 }, { replicatedJobs: [data, main] })
      runtime.spec.podGroupPolicy = { coscheduling: {} }
      const { objects } = render(aTrainJob(), runtime, compat ? { compat } : {})
      return (objects[0] as unknown as { spec: { minMember: number } }).spec.minMember
    },
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
    ['one-launcher', { node: 1, launcher: 3 }, { node: 3, launcher: 1 }],
    ['launcher-as-only-node', { node: 1, launcher: 1 }, { node: 0, launcher: 1 }],
    ['env-in-mpi-workers', [undefined, undefined], ['1', 'A']],
    ['flux-without-trainer', 'flux-needs-nodes', '/etc/flux-config/entrypoint.sh'],
    ['flux-exit-code', false, true],
    ['gang-of-those-who-start-together', 5, 4],
  ])('%s', (id, upstream, ours) => {
    expect(shown[id]('upstream')).toEqual(upstream)
    expect(shown[id]()).toEqual(ours)
  })

  it('are all in the table', () => {
    expect(DEVIATIONS.map(({ id }) => id).toSorted()).toEqual(Object.keys(shown).toSorted())
  })

  function mpiRuntime(mpi: MPIPolicy, mlPolicy: MLPolicy = {}): ReturnType<typeof aRuntime> {
    return aRuntime(
      { ...mlPolicy, mpi },
      { replicatedJobs: [aJob({}, { ancestor: '' }), aJob({}, { name: 'launcher' })] },
    )
  }

  function podsOf(trainJob: TrainJob, runtime: ReturnType<typeof aRuntime>, compat?: 'upstream'): unknown {
    const { podSets } = render(trainJob, runtime, compat ? { compat } : {})
    return Object.fromEntries(podSets.map(({ name, count }) => [name, count]))
  }

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

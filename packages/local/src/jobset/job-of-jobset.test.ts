import { describe, expect, it } from 'vitest'
import { headlessService } from './headless-service.ts'
import { jobOfJobSet } from './job-of-jobset.ts'
import { replicated, sampleJobSet } from './samples.suite.ts'
import { claimsOfJobSet } from './volume-claims.ts'

describe('the Job of an index', () => {
  const node = replicated(
    'node',
    { replicas: 2, groupName: 'workers' },
    {
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'node' }] } },
    },
  )
  const jobSet = sampleJobSet(
    {
      replicatedJobs: [replicated('init'), replicated('ps', { replicas: 3, groupName: 'workers' }), node],
      coordinator: { replicatedJob: 'node', podIndex: 0 },
    },
    { restarts: 4 },
  )
  const job = jobOfJobSet(jobSet, jobSet.spec.replicatedJobs?.[2] ?? node, 1)

  it('knows where it stands', () => {
    expect(job.metadata.name).toBe('mnist-node-1')
    expect(job.metadata.labels).toEqual({
      'jobset.sigs.k8s.io/jobset-name': 'mnist',
      'jobset.sigs.k8s.io/jobset-uid': 'js-uid',
      'jobset.sigs.k8s.io/replicatedjob-name': 'node',
      'jobset.sigs.k8s.io/replicatedjob-replicas': '2',
      'jobset.sigs.k8s.io/restart-attempt': '4',
      'jobset.sigs.k8s.io/global-replicas': '6',
      'jobset.sigs.k8s.io/job-index': '1',
      'jobset.sigs.k8s.io/job-global-index': '5',
      // sha1 of default/mnist-node-1
      'jobset.sigs.k8s.io/job-key': 'b6e252ed817dd093d896dc702e9c29f85cc268b4',
      'jobset.sigs.k8s.io/group-name': 'workers',
      'jobset.sigs.k8s.io/group-replicas': '5',
      'jobset.sigs.k8s.io/job-group-index': '4',
      'jobset.sigs.k8s.io/coordinator': 'mnist-node-0-0.mnist',
    })
    expect(job.metadata.annotations).toEqual(job.metadata.labels)
    expect(job.spec.template.metadata?.labels).toEqual({ app: 'x', ...job.metadata.labels })
    expect(job.spec.template.metadata?.annotations).toEqual(job.metadata.labels)
  })

  it('has the subdomain, the suspension and the owner of its JobSet', () => {
    expect(job.spec.template.spec?.subdomain).toBe('mnist')
    expect(job.spec.suspend).toBe(false)
    expect(job.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'jobset.x-k8s.io/v1alpha2',
        kind: 'JobSet',
        name: 'mnist',
        uid: 'js-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
    expect(job.spec).toMatchObject({ completionMode: 'Indexed', completions: 1, parallelism: 1 })
  })

  it('hands exclusive placement on as annotations only', () => {
    const exclusive = sampleJobSet()
    exclusive.metadata.annotations = {
      'alpha.jobset.sigs.k8s.io/exclusive-topology': 'rack',
      'alpha.jobset.sigs.k8s.io/node-selector': 'true',
    }
    const placed = jobOfJobSet(exclusive, exclusive.spec.replicatedJobs?.[0] ?? node, 0)
    expect(placed.metadata.annotations).toMatchObject(exclusive.metadata.annotations)
    expect(Object.keys(placed.metadata.labels ?? {}).some((key) => key.startsWith('alpha.'))).toBe(false)
    expect(placed.spec.template.spec?.nodeSelector).toEqual({
      'alpha.jobset.sigs.k8s.io/namespaced-job': 'default_mnist-node-0',
    })
    expect(placed.spec.template.spec?.tolerations).toEqual([
      { key: 'alpha.jobset.sigs.k8s.io/no-schedule', operator: 'Exists', effect: 'NoSchedule' },
    ])
  })
})

describe('the Service', () => {
  it('is named after the subdomain', () => {
    const service = headlessService(sampleJobSet({ network: { subdomain: 'net', publishNotReadyAddresses: false } }))
    expect(service?.metadata.name).toBe('net')
    expect(service?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: false })
  })

  it('is left out without host names', () => {
    const silent = sampleJobSet({ network: { enableDNSHostnames: false } })
    expect(headlessService(silent)).toBeUndefined()
    expect(
      jobOfJobSet(silent, silent.spec.replicatedJobs?.[0] ?? replicated('node'), 0).spec.template.spec?.subdomain,
    ).toBeUndefined()
  })
})

it('claims are shared, mounted where a container asks for them, and kept when they are to be', () => {
  const mounting = replicated(
    'node',
    {},
    {
      template: { spec: { containers: [{ name: 'node', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] } },
    },
  )
  const jobSet = sampleJobSet({
    replicatedJobs: [mounting],
    volumeClaimPolicies: [
      { templates: [{ metadata: { name: 'data' }, spec: { storageClassName: 's' } }] },
      { templates: [{ metadata: { name: 'kept' } }], retentionPolicy: { whenDeleted: 'Retain' } },
    ],
  })
  const [data, kept] = claimsOfJobSet(jobSet)
  expect(data).toMatchObject({ metadata: { name: 'data-mnist' }, spec: { storageClassName: 's' } })
  expect(data?.metadata.ownerReferences).toHaveLength(1)
  expect(kept?.metadata.ownerReferences).toBeUndefined()
  const job = jobOfJobSet(jobSet, mounting, 0)
  expect(job.spec.template.spec?.volumes).toEqual([
    { name: 'data', persistentVolumeClaim: { claimName: 'data-mnist' } },
  ])
})

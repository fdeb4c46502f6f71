import type { ConfigMap, MPIPolicy, Secret, TrainJobSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf, jobSetOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'

/** Workers first, then a launcher that trains. */
function runtime(mpi: MPIPolicy = {}, workers = {}, launcher = {}): ReturnType<typeof aRuntime> {
  return aRuntime(
    { numNodes: 1, mpi },
    { replicatedJobs: [aJob(workers, { ancestor: '' }), aJob(launcher, { name: 'launcher' })] },
  )
}

function hostfileOf(trainer: TrainJobSpec['trainer'], mpi: MPIPolicy, network?: string): string | undefined {
  const rt = runtime(mpi)
  if (network && rt.spec.template?.spec) rt.spec.template.spec.network = { subdomain: network }
  const { objects } = render(aTrainJob({ ...(trainer && { trainer }) }), rt)
  return (objects.find(({ kind }) => kind === 'ConfigMap') as ConfigMap | undefined)?.data?.hostfile
}

describe('mpi', () => {
  it('makes keys, hostfile and JobSet, in the order in which they are needed', () => {
    const { objects } = render(aTrainJob({ trainer: { numNodes: 2 } }), runtime())
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Secret job-mpi-ssh-auth',
      'ConfigMap job-mpi-hostfile',
      'JobSet job',
    ])
    for (const { metadata } of objects) expect(metadata.ownerReferences?.[0]).toMatchObject({ name: 'job', uid: 'u-1' })
  })

  it('asks for keys once: an existing Secret is left alone', () => {
    const keys = { ssh: () => ({ privateKey: 'private', publicKey: 'public\n' }) }
    const [secret] = render(aTrainJob(), runtime(), { keys }).objects as [Secret]
    expect(secret).toMatchObject({
      type: 'kubernetes.io/ssh-auth',
      immutable: true,
      data: { 'ssh-privatekey': btoa('private'), 'ssh-publickey': btoa('public\n') },
    })
    const facts = { objects: [{ ...secret, data: {} }] }
    const never = { ssh: () => expect.unreachable() }
    const kinds = render(aTrainJob(), runtime(), { keys: never, facts }).objects.map(({ kind }) => kind)
    expect(kinds).toEqual(['ConfigMap', 'JobSet'])
  })

  it('shows placeholders where nothing makes keys, always the same', () => {
    expect(render(aTrainJob(), runtime()).objects[0]).toEqual(render(aTrainJob(), runtime()).objects[0])
  })

  it.each<[string, TrainJobSpec['trainer'], MPIPolicy, string]>([
    ['workers only', { numNodes: 2 }, {}, 'job-node-0-0.job slots=1\njob-node-0-1.job slots=1\n'],
    [
      'the launcher as a node',
      { numNodes: 2, numProcPerNode: 4 },
      { runLauncherAsNode: true },
      'job-node-0-0.job slots=4\njob-launcher-0-0.job slots=4\n',
    ],
    ['the launcher as the only node', { numNodes: 1 }, { runLauncherAsNode: true }, 'job-launcher-0-0.job slots=1\n'],
    [
      'as many processes as GPUs',
      { numNodes: 1, resourcesPerNode: { limits: { 'nvidia.com/gpu': 8 } } },
      {},
      'job-node-0-0.job slots=8\n',
    ],
    [
      'the number of the policy before that of GPUs',
      { numNodes: 1, resourcesPerNode: { limits: { 'nvidia.com/gpu': 8 } } },
      { numProcPerNode: 2 },
      'job-node-0-0.job slots=2\n',
    ],
  ])('lists hosts: %s', (_, trainer, mpi, expected) => {
    expect(hostfileOf(trainer, mpi)).toBe(expected)
  })

  it('lists hosts under the name of the network', () => {
    expect(hostfileOf({ numNodes: 1 }, {}, 'net')).toBe('job-node-0-0.net slots=1\n')
  })

  it('gives the launcher environment and hostfile, and both jobs the keys', () => {
    const { objects } = render(aTrainJob({ trainer: { numNodes: 2 } }), runtime({ sshAuthMountPath: '/keys' }))
    expect(envOf(containerOf(objects, 'node', 1))).toEqual({
      OMPI_MCA_orte_default_hostfile: '/etc/mpi/hostfile',
      OMPI_MCA_orte_keep_fqdn_hostnames: 'true',
      OMPI_MCA_orte_set_default_slots: '1',
      OMPI_MCA_plm_rsh_args: '-o ConnectionAttempts=10',
    })
    expect(envOf(containerOf(objects))).toEqual({})
    const [workers, launcher] = jobSetOf(objects).spec.replicatedJobs ?? []
    const volumes = (job: typeof workers): unknown =>
      job?.template.spec?.template.spec?.volumes?.map(({ name }) => name)
    expect([volumes(workers), volumes(launcher)]).toEqual([['mpi-ssh-auth'], ['mpi-ssh-auth', 'mpi-hostfile']])
    expect(containerOf(objects).volumeMounts).toEqual([{ name: 'mpi-ssh-auth', mountPath: '/keys' }])
  })

  it.each<[string, Record<string, unknown>, boolean]>([
    ['is handed to every rank', {}, true],
    ['is left to a command that does it itself', { args: ['mpirun -x A python train.py'] }, false],
    ['is left to a job that sets the list', { env: [{ name: 'OMPI_MCA_mca_base_env_list', value: 'B' }] }, false],
  ])('environment %s', (_, launcher, isForwarded) => {
    const { objects } = render(aTrainJob({ trainer: { env: [{ name: 'A', value: '1' }] } }), runtime({}, {}, launcher))
    const list = envOf(containerOf(objects, 'node', 1)).OMPI_MCA_mca_base_env_list
    expect(list === 'A').toBe(isForwarded)
  })

  it('warns of a runtime without launcher', () => {
    expect(validate(aTrainJob(), aRuntime({ mpi: {} })).warnings).toMatchObject([{ code: 'missing-launcher' }])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigMap, JobSet, KubernetesObject, Secret, TrainJob } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { lint } from '@trainjob/api/lint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { envOf, nodeOf, ofKind } from './parts.ts'
import { trainjob } from './trainjob.ts'

const INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
const examples = join(import.meta.dirname, 'examples')

async function rendered(...files: readonly string[]): Promise<readonly KubernetesObject[]> {
  const args = files.flatMap((file) => ['-f', `${file}.yaml`])
  const verdict = await trainjob(examples, ['validate', ...args, '-o', 'json'])
  expect(JSON.parse(verdict.stdout)).toMatchObject({ valid: true, errors: [] })
  const { code, stdout, stderr } = await trainjob(examples, ['render', ...args, '-o', 'json'])
  expect(stderr).not.toMatch(/error/i)
  expect(code).toBe(0)
  return JSON.parse(stdout).items
}

// The values are written by hand, from what the document says.
describe('the examples of the document, as they are written', () => {
  it('multi-node-pytorch', async () => {
    const objects = await rendered('multi-node-pytorch')
    const { job, pod, container } = nodeOf(objects)
    expect(job).toMatchObject({ name: 'node', replicas: 1, template: { spec: { parallelism: 4, completions: 4 } } })
    expect(pod.restartPolicy).toBe('OnFailure')
    expect(container).toMatchObject({
      image: 'pytorch/pytorch:2.5.0-cuda12.4-cudnn9-runtime',
      command: ['torchrun', '--nnodes=4', '--nproc-per-node=2', '/workspace/train.py'],
      resources: { limits: { 'nvidia.com/gpu': '2' } },
    })
    const address = 'pytorch-distributed-node-0-0.pytorch-distributed'
    expect(envOf(container)).toEqual({
      PET_NNODES: '4',
      PET_NPROC_PER_NODE: '2',
      PET_NODE_RANK: INDEX,
      PET_MASTER_ADDR: address,
      PET_MASTER_PORT: '29500',
      MASTER_ADDR: address,
      MASTER_PORT: '29500',
      WORLD_SIZE: '8',
    })
    expect(ofKind(objects, 'PodGroup')).toMatchObject({
      apiVersion: 'scheduling.x-k8s.io/v1alpha1',
      spec: { minMember: 4 },
    })
  })

  it('trainjob-pytorch-mnist on trainingruntime-pytorch-mnist', async () => {
    const objects = await rendered('trainjob-pytorch-mnist', 'trainingruntime-pytorch-mnist')
    const { job, pod, container } = nodeOf(objects)
    expect(job.template.spec).toMatchObject({ parallelism: 4, completions: 4 })
    expect(ofKind<JobSet>(objects, 'JobSet').spec.failurePolicy?.maxRestarts).toBe(3)
    expect(container).toMatchObject({
      command: ['python', '/workspace/train.py'],
      resources: { requests: { cpu: '4', memory: '16Gi' }, limits: { 'nvidia.com/gpu': '2' } },
      volumeMounts: [{ name: 'initializer', mountPath: '/workspace/dataset' }],
    })
    const address = 'pytorch-mnist-node-0-0.pytorch-mnist'
    expect(envOf(container)).toEqual({
      EPOCHS: '10',
      BATCH_SIZE: '128',
      PET_NNODES: '2:8',
      PET_NPROC_PER_NODE: '1',
      PET_NODE_RANK: INDEX,
      PET_MASTER_ADDR: address,
      PET_MASTER_PORT: '29500',
      PET_RDZV_BACKEND: 'c10d',
      PET_RDZV_ENDPOINT: `${address}:29500`,
      PET_RDZV_ID: 'pytorch-mnist',
      PET_MAX_RESTARTS: '100',
      MASTER_ADDR: address,
      MASTER_PORT: '29500',
      WORLD_SIZE: '4',
      RANK: INDEX,
      LOG_LEVEL: 'debug',
    })
    expect(pod.volumes).toEqual([{ name: 'initializer', emptyDir: {} }])
    expect(pod.initContainers).toMatchObject([
      {
        name: 'dataset-initializer',
        image: 'ghcr.io/kubeflow/trainer/dataset-initializer',
        env: [
          { name: 'STORAGE_URI', value: 's3://bucket/datasets/mnist/' },
          { name: 'AWS_ENDPOINT_URL', value: 's3.example.com' },
        ],
        envFrom: [{ secretRef: { name: 's3-credentials' } }],
        volumeMounts: [{ name: 'initializer', mountPath: '/workspace/dataset' }],
      },
    ])
    expect(ofKind(objects, 'PodGroup')).toMatchObject({
      spec: { minMember: 4, minResources: { cpu: '16', memory: '64Gi' } },
    })
  })

  it('trainjob-runtime-patches: the variable is added, the limit becomes 4', async () => {
    const objects = await rendered('trainjob-runtime-patches', 'trainingruntime-pytorch-mnist')
    const { container } = nodeOf(objects)
    expect(envOf(container)).toMatchObject({ EXPERIMENT_ID: '42', PET_NNODES: '2:8' })
    expect(container.resources).toEqual({ limits: { 'nvidia.com/gpu': '4' } })
  })

  it('kueue-trainjob on a TensorFlow runtime', async () => {
    const { job, container } = nodeOf(await rendered('kueue-trainjob', 'gpu-runtime'))
    expect(job.template.spec).toMatchObject({ parallelism: 2, completions: 2 })
    expect(container.resources).toEqual({ limits: { 'nvidia.com/gpu': '4' } })
    expect(envOf(container)).toEqual({
      TF_TASK_INDEX: INDEX,
      TF_CONFIG:
        '{"cluster":{"worker":["kueue-job-node-0-0.kueue-job:2222","kueue-job-node-0-1.kueue-job:2222"]},"task":{"type":"worker","index":$(TF_TASK_INDEX)}}',
    })
  })

  it('the fragment about Kueue: what Kueue looks at stays as it is written', async () => {
    const { code, stdout } = await trainjob(examples, [
      'lint',
      '-f',
      'kueue-trainjob.yaml',
      '-f',
      'gpu-runtime.yaml',
      '-o',
      'json',
    ])
    expect(code).toBe(0)
    const codes = JSON.parse(stdout).warnings.map((one: { code: string }) => one.code)
    // the queue is there, and whoever has a queue needs no gang of his own
    expect(codes).not.toContain('multikueue-without-queue')
    expect(codes).not.toContain('no-gang-policy')
    const fragment = readFileSync(join(examples, 'kueue-trainjob.yaml'), 'utf8')
    const { metadata, spec } = toCanonical(parse(fragment)).object as TrainJob
    expect(metadata.labels).toEqual({ 'kueue.x-k8s.io/queue-name': 'training-queue' })
    expect(spec.managedBy).toBe('kueue.x-k8s.io/multikueue')
    const withoutLabel = parse(fragment.replace(/ {2}labels:\n.*\n/, ''))
    const trainJob = toCanonical(withoutLabel).object as TrainJob
    expect(lint({ trainJob, runtime: undefined }).map((one) => one.code)).toContain('multikueue-without-queue')
  })

  it('flux-lammps-runtime', async () => {
    const objects = await rendered('flux-trainjob', 'flux-lammps-runtime')
    const { job, container } = nodeOf(objects)
    expect(job.template.spec).toMatchObject({ parallelism: 4, completions: 4 })
    expect(container).toMatchObject({ image: 'fluxrm/flux-sched:latest', resources: { requests: { cpu: '32' } } })
    const { data } = ofKind<ConfigMap>(objects, 'ConfigMap')
    expect(data?.['init.sh']).toContain('host = "lammps-node-0-[0-15]"')
    expect(data?.['entrypoint.sh']).toContain('-Sbroker.quorum=2\n')
    expect(data?.['entrypoint.sh']).toContain('flux run -N 4 -n 4 $command')
    expect(Object.keys(ofKind<Secret>(objects, 'Secret').data ?? {})).toEqual(['curve.cert'])
  })

  it('the fragment about Volcano: the queue, and a gang smaller than the job', async () => {
    const objects = await rendered('volcano-runtime')
    expect(ofKind(objects, 'PodGroup')).toMatchObject({
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      spec: { minMember: 4, queue: 'default' },
    })
    expect(ofKind<JobSet>(objects, 'JobSet').metadata.annotations).toEqual({
      'scheduling.volcano.sh/queue-name': 'default',
    })
    const { job } = nodeOf(objects)
    expect(job.template.spec).toMatchObject({ parallelism: 6, completions: 6 })
    expect(job.template.spec?.template.metadata?.annotations).toMatchObject({ 'scheduling.k8s.io/group-name': 'gang' })
    expect(nodeOf(objects).container.resources).toEqual({ limits: { 'nvidia.com/gpu': '1' } })
  })
})

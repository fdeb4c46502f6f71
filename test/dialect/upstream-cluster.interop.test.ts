import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type KubernetesObject, Namespaces, TrainingRuntimes, type TrainJob, TrainJobs } from '@trainjob/api'
import type { CustomResourceDefinition } from '@trainjob/api/crd'
import { TrainerClient } from '@trainjob/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { installDefinition } from '../control-plane/definitions.ts'
import { type ControlPlane, startControlPlane } from '../control-plane/start.ts'
import { type BuiltOracle, buildOracle } from '../oracle/build.ts'
import type { Ended } from '../run-program.ts'
import { trainjob } from './trainjob.ts'

const [release, built] = [await buildOracle('2.3.0'), await buildControlPlane()]
const lacking = [release, built].flatMap((part) => ('missing' in part ? [part.missing] : []))
if (lacking.length > 0) process.stderr.write(`NOT RUN: a cluster with upstream’s definitions. ${lacking.join(' ')}\n`)

const EXAMPLES = path.join(import.meta.dirname, 'examples')

function example(file: string, kind: string): KubernetesObject & { spec: Record<string, unknown> } {
  const documents = parseAllDocuments(readFileSync(path.join(EXAMPLES, `${file}.yaml`), 'utf8'))
  const found = documents.map((document) => document.toJS()).find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`expected a ${kind} in ${file}`)
  return found
}

const ELASTIC = '{"minReplicas":1,"maxReplicas":4}'

/** A TrainJob as it is written; it is no canonical one. */
function written(object: object): TrainJob {
  return object as TrainJob
}

describe.skipIf(lacking.length > 0)('a cluster with upstream’s definitions', () => {
  let plane: ControlPlane
  let trainer: TrainerClient
  let dir: string | undefined
  beforeAll(async () => {
    plane = await startControlPlane(built as BuiltControlPlane)
    const { crds } = release as BuiltOracle
    for (const file of readdirSync(crds).filter((name) => name.startsWith('trainer.kubeflow.org_'))) {
      const text = await readFile(path.join(crds, file), 'utf8')
      await installDefinition(plane.client, parse(text, { maxAliasCount: -1 }) as CustomResourceDefinition)
    }
    await plane.client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cli' } })
    trainer = TrainerClient.over(plane.client)
    dir = await mkdtemp(path.join(tmpdir(), 'trainjob-upstream-'))
  }, 180_000)
  afterAll(async () => {
    await plane?.stop()
    if (dir !== undefined) await rm(dir, { recursive: true, force: true })
  })

  async function apply(...objects: object[]): Promise<Ended> {
    const folder = dir ?? ''
    const file = path.join(folder, 'objects.yaml')
    await writeFile(file, objects.map((object) => stringify(object)).join('---\n'))
    return trainjob(folder, ['apply', '-n', 'cli', '-f', file], { KUBECONFIG: plane.kubeconfig })
  }

  it('has jobs in its own fields: the kind that is meant, the environment and the GPUs of the document', async () => {
    const runtime = example('multi-node-pytorch', 'TrainingRuntime')
    const applied = await apply(runtime, example('multi-node-pytorch', 'TrainJob'))
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('pytorch-distributed created') })
    const { spec, metadata } = await plane.client.get(TrainJobs, { namespace: 'cli', name: 'pytorch-distributed' })
    expect(spec).toMatchObject({
      runtimeRef: { name: 'pytorch-runtime', kind: 'TrainingRuntime' },
      trainer: { numNodes: 4, numProcPerNode: 2, resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } } },
    })
    const env = spec.trainer?.env ?? []
    expect(env.find(({ name }) => name === 'WORLD_SIZE')?.value).toBe('8')
    expect(Object.keys(metadata.annotations ?? {})).not.toContain('trainjob.dev/form')
    const stored = await plane.client.get(TrainingRuntimes, { namespace: 'cli', name: 'pytorch-runtime' })
    const [node] = stored.spec.template?.spec?.replicatedJobs ?? []
    expect(node?.template.spec?.template.spec?.containers).toMatchObject([
      { name: 'node', resources: { limits: { 'nvidia.com/gpu': '2' } } },
    ])
  })

  it('has operations as patches of its own', async () => {
    const { spec, ...job } = example('trainjob-runtime-patches', 'TrainJob')
    const [env] = spec.runtimePatches as { managerKey: string; patch: object[] }[]
    const path_ = '/spec/replicatedJobs/0/template/spec/template/spec/nodeSelector/zone'
    const runtimePatches = [env, { managerKey: 'infra', patch: [{ op: 'add', path: path_, value: 'a' }] }]
    const patched = { ...spec, runtimeRef: { name: 'pytorch-runtime' }, runtimePatches }
    await plane.client.create(TrainingRuntimes, {
      ...(await plane.client.get(TrainingRuntimes, { namespace: 'cli', name: 'pytorch-runtime' })),
      metadata: { name: 'pytorch-runtime', namespace: 'default' },
    })
    const run = await trainer.submit(written({ ...job, spec: patched }))
    const stored = await plane.client.get(TrainJobs, { namespace: 'default', name: run.name })
    expect(stored.spec.trainer?.env).toContainEqual({ name: 'EXPERIMENT_ID', value: '42' })
    expect(stored.spec.runtimePatches).toMatchObject([
      {
        trainingRuntimeSpec: {
          template: {
            spec: {
              replicatedJobs: [
                { name: 'node', template: { spec: { template: { spec: { nodeSelector: { zone: 'a' } } } } } },
              ],
            },
          },
        },
      },
    ])
  })

  it('refuses by name what it has no field for', async () => {
    const elastic = await apply(example('trainingruntime-pytorch-mnist', 'TrainingRuntime'))
    expect(elastic.code).not.toBe(0)
    expect(elastic.stderr).toMatch(/mlPolicy\.torch\.elastic is not known there; set mlPolicy\.numNodes/)
    const { spec, ...job } = example('trainjob-runtime-patches', 'TrainJob')
    const patch = [{ op: 'add', path: '/spec/ttlSecondsAfterFinished', value: 60 }]
    const other = { ...spec, runtimeRef: { name: 'pytorch-runtime' }, runtimePatches: [{ managerKey: 'me', patch }] }
    await expect(trainer.submit(written({ ...job, metadata: { name: 'ttl' }, spec: other }))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/JobSet spec\.ttlSecondsAfterFinished is 60/),
    })
  })

  it('refuses to scale a job there, whatever its runtime says', async () => {
    const runtime = await plane.client.get(TrainingRuntimes, { namespace: 'cli', name: 'pytorch-runtime' })
    await plane.client.create(TrainingRuntimes, {
      ...runtime,
      metadata: { name: 'wide', namespace: 'default', annotations: { 'trainjob.dev/torch-elastic': ELASTIC } },
    })
    await plane.client.create(TrainJobs, {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'wide', namespace: 'default' },
      spec: { runtimeRef: { name: 'wide', kind: 'TrainingRuntime' }, trainer: { numNodes: 2 } },
    })
    await expect(trainer.scale('wide', 3)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/Kubeflow Trainer's own controller.*another spec\.trainer\.numNodes/),
    })
    const scaled = await trainjob(dir ?? '', ['scale', 'wide', '--nodes', '3'], { KUBECONFIG: plane.kubeconfig })
    expect(scaled).toMatchObject({ code: 1, stderr: expect.stringContaining("Kubeflow Trainer's own controller") })
    const { metadata } = await trainer.get('wide')
    expect(metadata.annotations).toBeUndefined()
  })
})

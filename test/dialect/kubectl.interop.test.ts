import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { JSON_PATCHES_ANNOTATION, type KubernetesObject, TrainJobs } from '@trainjob/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { type Kubectl, kubectlOf } from '../kubectl/kubectl.ts'
import type { ServedCluster } from '../kubectl/served-cluster.ts'
import { dialectClusters } from './clusters.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: the document's form and kubectl. ${built.missing}\n`)

const EXAMPLES = path.join(import.meta.dirname, 'examples')
/** Those of the document; the others are what it only names. */
const files = readdirSync(EXAMPLES)
  .filter((file) => file.endsWith('.yaml') && !['gpu-runtime.yaml', 'flux-trainjob.yaml'].includes(file))
  .toSorted()

type Fields = Record<string, unknown>

function example(file: string): Fields & { metadata: Fields; spec: Fields } {
  return parse(readFileSync(path.join(EXAMPLES, file), 'utf8'))
}

/** What kubectl must leave as it is when it applies the same file again. */
async function storedBy(kubectl: Kubectl): Promise<KubernetesObject[]> {
  const { items } = JSON.parse(await kubectl('get', 'trainjobs,trainingruntimes', '-o', 'json'))
  // a controller writes the status of jobs
  return items.map(({ status: _, ...object }: KubernetesObject & { status?: unknown }) => object)
}

describe.skipIf('missing' in built).each(dialectClusters)("the document's form and kubectl on $name", ({ start }) => {
  let cluster: ServedCluster
  let bin: string
  beforeAll(async () => {
    bin = (built as BuiltControlPlane).bin
    cluster = await start(built as BuiltControlPlane)
  }, 180_000)
  afterAll(() => cluster?.close())

  let namespaces = 0
  /** kubectl in a namespace of its own, and how it applies an object. */
  async function inNamespace(): Promise<Kubectl & { apply(object: object, ...flags: string[]): Promise<string> }> {
    const name = `dialect-${namespaces++}`
    const kubectl = kubectlOf(bin, cluster, name)
    await kubectl('create', 'namespace', name)
    const apply = (object: object, ...flags: string[]) => kubectl.send(['apply', ...flags], object)
    return Object.assign(kubectl, { apply })
  }

  describe.each([
    ['kubectl apply', []],
    ['kubectl apply --server-side', ['--server-side']],
  ])('%s', (_, flags) => {
    // two managers are more than the server can tell apart; see below
    const taken = flags.length === 0 ? files : files.filter((file) => file !== 'trainjob-runtime-patches.yaml')
    it.each(taken)('of %s twice: it is taken, and the second time changes nothing', async (file) => {
      const kubectl = await inNamespace()
      await kubectl('apply', ...flags, '-f', path.join(EXAMPLES, file))
      const first = await storedBy(kubectl)
      expect(first).toHaveLength(parseAllDocuments(readFileSync(path.join(EXAMPLES, file), 'utf8')).length)
      await kubectl('apply', ...flags, '-f', path.join(EXAMPLES, file))
      expect((await storedBy(kubectl)).map(settled)).toEqual(first.map(settled))
    })
  })

  it('refuses several managerKey under server-side apply, with the command that works', async () => {
    const kubectl = await inNamespace()
    const file = path.join(EXAMPLES, 'trainjob-runtime-patches.yaml')
    const { stderr } = await kubectl.fails('apply', '--server-side', '-f', file)
    expect(stderr).toMatch(/several managerKey need kubectl apply without --server-side/)
    await kubectl('apply', '-f', file)
  })

  it('takes patches back that are taken out of the file, and keeps those of others', async () => {
    const kubectl = await inNamespace()
    await kubectl.apply(example('trainingruntime-pytorch-mnist.yaml'))
    const { spec, ...job } = example('trainjob-runtime-patches.yaml')
    await kubectl.apply({ ...job, spec: { ...spec, suspend: true } })
    const kueue = { manager: 'kueue.x-k8s.io/manager', trainingRuntimeSpec: { template: { spec: {} } } }
    await kubectl(
      'patch',
      'trainjob',
      'patched',
      '--type=merge',
      '-p',
      JSON.stringify({ spec: { runtimePatches: [kueue] } }),
    )

    const [first] = spec.runtimePatches as unknown[]
    await kubectl.apply({ ...job, spec: { ...spec, suspend: true, runtimePatches: [first] } })
    const fewer = await read(kubectl, 'patched')
    expect(operations(fewer).map(({ manager }) => manager)).toEqual(['user-overrides'])
    expect(fewer.spec).toMatchObject({ runtimePatches: [kueue] })

    const { runtimePatches: _, ...unpatched } = spec
    await kubectl.apply({ ...job, spec: { ...unpatched, suspend: true } })
    const none = await read(kubectl, 'patched')
    expect(none.metadata.annotations).not.toHaveProperty([JSON_PATCHES_ANNOTATION])
    expect(none.spec).toMatchObject({ runtimePatches: [kueue] })
  })

  it('takes back what is taken out of a runtime', async () => {
    const kubectl = await inNamespace()
    const { spec, ...runtime } = example('trainingruntime-pytorch-mnist.yaml')
    await kubectl.apply({ ...runtime, spec })
    const podGroupPolicy = { volcano: { queue: 'q' } }
    await kubectl.apply({ ...runtime, spec: { ...spec, mlPolicy: { torch: {} }, podGroupPolicy } })
    const stored = JSON.parse(await kubectl('get', 'trainingruntime', 'pytorch-mnist-runtime', '-o', 'json'))
    expect(stored.spec.mlPolicy).toEqual({ numNodes: 4, torch: {} })
    expect(stored.spec.podGroupPolicy).toEqual({ volcano: {} })
    expect(Object.keys(stored.metadata.annotations).filter((name) => name.startsWith('trainjob.dev/'))).toEqual([
      'trainjob.dev/form',
    ])
  })

  it('under server-side apply says how to take out what was translated', async () => {
    const kubectl = await inNamespace()
    await kubectl.apply(example('trainingruntime-pytorch-mnist.yaml'))
    const { spec, ...job } = example('trainjob-pytorch-mnist.yaml')
    const { runtimePatches: _, ...unpatched } = spec
    await kubectl.apply({ ...job, spec: { ...spec, suspend: true } }, '--server-side')
    const without = { ...job, spec: { ...unpatched, suspend: true } }
    const input = JSON.stringify(without)
    const { code, stderr } = await kubectl.run(['apply', '--server-side', '-f', '-'], { input })
    expect(code).toBe(1)
    expect(stderr).toMatch(/spec\.runtimePatches.*kubectl replace -f FILE/s)
    await kubectl.send(['replace'], without)
    expect(operations(await read(kubectl, 'pytorch-mnist'))).toEqual([])
    await kubectl.apply(without, '--server-side', '--force-conflicts')
    expect(operations(await read(kubectl, 'pytorch-mnist'))).toEqual([])
  })

  it('says what it cannot translate, at the field', async () => {
    const kubectl = await inNamespace()
    const { spec, ...job } = example('kueue-trainjob.yaml')
    const input = stringify({ ...job, spec: { ...spec, podGroupPolicy: { volcano: { minMember: 2 } } } })
    const { code, stderr } = await kubectl.run(['apply', '-f', '-'], { input })
    expect(code).toBe(1)
    expect(stderr).toMatch(/spec\.podGroupPolicy: .*kind: TrainingRuntime/s)
  })

  it('refuses to change what the document calls immutable', async () => {
    const kubectl = await inNamespace()
    await kubectl.apply(example('trainingruntime-pytorch-mnist.yaml'))
    const { spec, ...job } = example('trainjob-pytorch-mnist.yaml')
    await kubectl.apply({ ...job, spec })
    const { trainer, initializer } = spec as { trainer: Fields; initializer: Fields }
    for (const change of [
      { runtimeRef: { name: 'other' } },
      { initializer: { ...initializer, storageUri: 's3://other/' } },
      { trainer: { ...trainer, numNodes: 5 } },
      { trainer: { ...trainer, image: 'other' } },
    ]) {
      const input = JSON.stringify({ ...job, spec: { ...spec, ...change } })
      const { code, stderr } = await kubectl.run(['apply', '-f', '-'], { input })
      expect([Object.keys(change), code]).toEqual([Object.keys(change), 1])
      expect(stderr).toMatch(/immutable/)
    }
  })

  async function read(kubectl: Kubectl, name: string): Promise<KubernetesObject & { spec: Fields }> {
    const { metadata } = JSON.parse(await kubectl('get', 'trainjob', name, '-o', 'json'))
    return cluster.client.get(TrainJobs, metadata) as never
  }
})

/** The operations that a stored job has. */
function operations({ metadata }: KubernetesObject): readonly { readonly manager: string }[] {
  return JSON.parse(metadata.annotations?.[JSON_PATCHES_ANNOTATION] ?? '[]')
}

/** Without what a write of the status changes; the generation tells of every other one. */
function settled({ metadata: { resourceVersion: _, ...metadata }, ...object }: KubernetesObject): object {
  return { ...object, metadata }
}

import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyTrainingRuntime, KubernetesObject, TrainJob } from '@trainjob/api'
import { shippedRuntimes } from '@trainjob/runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Answer, type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { ourVerdict, upstreamVerdict } from './render/answers.ts'
import { question, update } from './render/question-arbitrary.ts'
import { seeded } from './render/seeded.ts'

const built = await buildOracle('2.3.0')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with upstream's renderer. ${built.missing}\n`)

describe.skipIf('missing' in built)('render and validate against Kubeflow Trainer 2.3.0', () => {
  const release = built as BuiltOracle
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle(release)
  })
  afterAll(() => oracle[Symbol.asyncDispose]())

  /** Ours must be upstream's, whether or not the API server has filled in its defaults. Says whether it was compared. */
  async function compare(asked: Question): Promise<Answer> {
    const answer = await oracle.ask(asked)
    if (answer.schemaErrors) return answer
    const expected = upstreamVerdict(answer)
    expect(ourVerdict(asked)).toEqual(expected)
    const stored = {
      ...asked,
      ...(answer.runtimes && { runtimes: answer.runtimes }),
      ...(answer.trainJob && { trainJob: answer.trainJob }),
    }
    expect(ourVerdict(stored)).toEqual(expected)
    return answer
  }

  it("agrees on upstream's own runtimes and examples", async () => {
    const objects = (await Promise.all([manifests(release.runtimes), manifests(release.examples)])).flat()
    const runtimes = objects.filter(isRuntime)
    const jobs = objects.filter((object): object is TrainJob => object.kind === 'TrainJob')
    const asked = [
      ...jobs.flatMap((trainJob) => {
        const runtime = runtimes.find(({ metadata }) => metadata.name === trainJob.spec.runtimeRef.name)
        return runtime ? [{ runtimes: [runtime], trainJob }] : []
      }),
      ...runtimes.flatMap((runtime) => jobsOf(runtime).map((trainJob) => ({ runtimes: [runtime], trainJob }))),
    ]
    expect(asked.length).toBeGreaterThan(10)
    for (const one of asked) await compare(one)
  })

  it('agrees on generated runtimes and jobs', async () => {
    let compared = 0
    const settings = seeded<[Question]>('generated TrainJobs', 300)
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        if (!(await compare(asked)).schemaErrors) compared++
      }),
      settings,
    )
    expect(compared).toBeGreaterThan((settings.numRuns ?? 0) / 2)
  }, 600_000)

  it('agrees on generated updates', async () => {
    await fc.assert(
      fc.asyncProperty(update, async (asked) => {
        const answer = await oracle.ask(asked)
        if (answer.schemaErrors) return
        expect(ourVerdict(asked)).toEqual(upstreamVerdict(answer))
      }),
      seeded<[Question]>('generated updates', 150),
    )
  }, 600_000)

  it('ships the runtimes of upstream as they are', async () => {
    const upstream = [...(await manifests(release.runtimes)), ...(await manifests(release.examples))].filter(isRuntime)
    const shipped = shippedRuntimes().map(({ metadata: { name = '' } }) => name)
    const theirs = upstream.filter(({ metadata }) => shipped.includes(metadata.name ?? ''))
    expect(theirs.map(({ metadata }) => metadata.name).sort()).toEqual(
      shipped.filter((name) => name !== 'plain').sort(),
    )
    for (const runtime of theirs) {
      expect(shippedRuntimes().find(({ metadata }) => metadata.name === runtime.metadata.name)).toEqual(runtime)
    }
  })
})

/** Jobs of all kinds for a runtime. */
function jobsOf(runtime: AnyTrainingRuntime): TrainJob[] {
  const specs: Partial<TrainJob['spec']>[] = [
    {},
    { trainer: { numNodes: 2, env: [{ name: 'A', value: 'b' }] } },
    {
      trainer: { command: ['python'], args: ['x.py'], resourcesPerNode: { limits: { 'nvidia.com/gpu': 4 } } },
      suspend: true,
    },
    { trainer: { command: ['tune', 'run'], args: ['model.lora_attn_modules=[q_proj]'] } },
    { trainer: { numProcPerNode: 8, image: 'own' }, initializer: { dataset: { storageUri: 'hf://a/b' } } },
  ]
  return specs.map((spec) => ({
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'job', namespace: 'default', uid: 'u' },
    spec: { runtimeRef: { name: runtime.metadata.name ?? '', kind: runtime.kind }, ...spec },
  }))
}

function isRuntime(object: KubernetesObject): object is AnyTrainingRuntime {
  return object.kind === 'TrainingRuntime' || object.kind === 'ClusterTrainingRuntime'
}

async function manifests(folder: string): Promise<KubernetesObject[]> {
  const files = await readdir(folder, { recursive: true })
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.yaml')).map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject))
    .filter((object) => object?.apiVersion === 'trainer.kubeflow.org/v1alpha1')
}

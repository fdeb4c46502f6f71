import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyTrainingRuntime, KubernetesObject, TrainJob } from '@trainjob/api'
import { DEVIATIONS, shippedRuntimes } from '@trainjob/runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Answer, type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { ourVerdict, upstreamVerdict } from './render/answers.ts'
import { undocumented } from './render/deviations.ts'
import { question, update } from './render/question-arbitrary.ts'
import { ourReviews, upstreamReviews } from './render/reviews.ts'
import { seeded } from './render/seeded.ts'
import { VIOLATIONS } from './render/violations.ts'

/** Ten times as many in a long run; some are refused by the CRDs and not compared. */
const RUNS = 1_050

/** Shipped runtimes that upstream does not have. */
const OWN_RUNTIMES: ReadonlySet<string> = new Set(['plain', 'tensorflow-distributed', 'torch-elastic'])

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
    expect(await ourReviews(asked)).toEqual(upstreamReviews(answer))
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
    const seen = { compared: 0, valid: 0 }
    const settings = seeded<[Question]>('generated TrainJobs', RUNS)
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { schemaErrors, allowed } = await compare(asked)
        if (schemaErrors) return
        seen.compared++
        if (allowed) seen.valid++
      }),
      settings,
    )
    checkShare('generated TrainJobs', seen, settings)
  }, 7_200_000)

  it('agrees on generated updates', async () => {
    const seen = { compared: 0, valid: 0 }
    const settings = seeded<[Question]>('generated updates', RUNS)
    await fc.assert(
      fc.asyncProperty(update, async (asked) => {
        const answer = await oracle.ask(asked)
        if (answer.schemaErrors) return
        seen.compared++
        if (answer.allowed) seen.valid++
        expect(ourVerdict(asked)).toEqual(upstreamVerdict(answer))
        expect(await ourReviews(asked)).toEqual(upstreamReviews(answer))
      }),
      settings,
    )
    checkShare('generated updates', seen, settings)
  }, 7_200_000)

  it('differs without `compat` only where docs/deviations.md says so', async () => {
    const counts = new Map(DEVIATIONS.map(({ id }) => [id, 0]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(question, update), async (asked) => {
        const answer = await oracle.ask(asked)
        if (answer.schemaErrors) return
        const { differences, seen } = undocumented(asked, answer)
        expect(differences).toEqual([])
        for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1)
      }),
      seeded<[Question]>('generated jobs with deliberate differences', RUNS),
    )
    for (const [id, count] of counts) process.stderr.write(`${String(count).padStart(5)} cases: ${id}\n`)
  }, 7_200_000)

  it.each(VIOLATIONS.map((violation) => [violation.rule, violation] as const))(
    'agrees when one rule alone is broken: %s',
    async (_, { path: field, question: broken }) => {
      for (let size = 2; size < 22; size++) {
        const answer = await compare(broken(size))
        expect(answer.schemaErrors).toBeUndefined()
        expect([...(answer.runtimeErrors ?? []), ...(answer.jobErrors ?? [])].map((fault) => fault.path)).toEqual([
          field,
        ])
        expect(answer.allowed ?? false).toBe(false)
      }
    },
  )

  it.each([
    ['is not there', { name: 'gone', kind: 'ClusterTrainingRuntime' }],
    ['is not there in the namespace', { name: 'gone', kind: 'TrainingRuntime' }],
    ['is of no known kind', { name: 'rt', kind: 'Other' }],
    ['is of no known group', { name: 'rt', kind: 'ClusterTrainingRuntime', apiGroup: 'example.com' }],
  ])('agrees that a job is refused whose runtime %s', async (_, runtimeRef) => {
    for (const { question: valid } of VIOLATIONS.slice(0, 20)) {
      const { trainJob, runtimes } = valid(2)
      const asked = { runtimes, trainJob: { ...trainJob, spec: { ...trainJob.spec, runtimeRef } } }
      for (const one of [asked, { ...asked, oldTrainJob: asked.trainJob }]) {
        const answer = await oracle.ask(one)
        expect(answer.schemaErrors).toBeUndefined()
        expect(answer.allowed ?? false).toBe(false)
        expect(await ourReviews(one)).toEqual(upstreamReviews(answer))
      }
    }
  })

  it('ships the runtimes of upstream as they are', async () => {
    const upstream = [...(await manifests(release.runtimes)), ...(await manifests(release.examples))].filter(isRuntime)
    const shipped = shippedRuntimes().map(({ metadata: { name = '' } }) => name)
    const theirs = upstream.filter(({ metadata }) => shipped.includes(metadata.name ?? ''))
    expect(theirs.map(({ metadata }) => metadata.name).sort()).toEqual(
      shipped.filter((name) => !OWN_RUNTIMES.has(name)).sort(),
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

/** Says how many cases were compared and how many of them were valid, and that they were enough. */
function checkShare(
  name: string,
  { compared, valid }: { readonly compared: number; readonly valid: number },
  { numRuns = 0 }: { readonly numRuns?: number },
): void {
  const share = (100 * valid) / compared
  process.stderr.write(`${name}: ${compared} compared, ${valid} of them valid (${share.toFixed(0)} %)\n`)
  expect(compared).toBeGreaterThan(numRuns * 0.9)
  expect(share).toBeGreaterThanOrEqual(40)
}

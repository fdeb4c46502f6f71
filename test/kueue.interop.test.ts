import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyTrainingRuntime, JobSet, KubernetesObject, TrainJob } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { render, shippedRuntimes } from '@trainjob/runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { comparable } from './render/answers.ts'
import { withoutEmptyLists } from './render/pass-arbitrary.ts'
import { question } from './render/question-arbitrary.ts'
import { seeded } from './render/seeded.ts'

const built = await buildOracle('2.3.0')
if ('missing' in built) process.stderr.write(`NOT RUN: jobs that others write back. ${built.missing}\n`)

describe.skipIf('missing' in built)('a job that others write back with the types of upstream', () => {
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle(built as BuiltOracle)
  })
  afterAll(() => oracle[Symbol.asyncDispose]())

  /** The job as it is stored and as it is written back; nothing where upstream does not accept it. */
  async function rewritten(asked: Question): Promise<{ stored: TrainJob; after: TrainJob } | undefined> {
    const { schemaErrors, error, trainJob: stored, rewritten: after } = await oracle.ask(asked)
    if (schemaErrors || error !== undefined || stored === undefined || after === undefined) return undefined
    return { stored, after }
  }

  it.each([
    ['as upstream renders', 'upstream' as const],
    ['with our differences', undefined],
  ])(
    'renders the same, %s, and has the same pods',
    async (_, compat) => {
      let compared = 0
      const settings = seeded<[Question]>('generated jobs, written back', 300)
      await fc.assert(
        fc.asyncProperty(question, async (asked) => {
          const { trainer } = asked.trainJob.spec
          const spec = { ...asked.trainJob.spec, ...(trainer && { trainer: withoutEmptyLists(trainer) }) }
          const trainJob = { ...asked.trainJob, spec }
          const written = await rewritten({ ...asked, trainJob })
          if (written === undefined) return
          compared++
          const [runtime] = asked.runtimes as [AnyTrainingRuntime]
          const [before, now] = [written.stored, written.after].map((one) => drawn(one, runtime, asked.objects, compat))
          expect(now).toEqual(before)
          // what changed hands in between is still canonical
          expect(toCanonical(written.after).notes).toEqual([])
        }),
        settings,
      )
      expect(compared).toBeGreaterThan((settings.numRuns ?? 0) / 2)
    },
    7_200_000,
  )

  it('keeps what the document says', async () => {
    const objects = await examples()
    const jobs = objects.filter((object): object is TrainJob => object.kind === 'TrainJob')
    expect(jobs.length).toBeGreaterThan(4)
    for (const job of jobs) {
      const { object: trainJob } = toCanonical({
        ...job,
        metadata: { namespace: 'default', uid: 'u', ...job.metadata },
      })
      const runtime = [...objects, ...shippedRuntimes()].find(
        (one): one is AnyTrainingRuntime =>
          one.kind.endsWith('TrainingRuntime') && one.metadata.name === trainJob.spec.runtimeRef.name,
      )
      if (runtime === undefined) throw new Error(`Expected the runtime of ${job.metadata.name} among the examples.`)
      const { object: template } = toCanonical(runtime)
      const kind = template.kind as 'ClusterTrainingRuntime' | 'TrainingRuntime'
      const stored = { ...trainJob, spec: { ...trainJob.spec, runtimeRef: { ...trainJob.spec.runtimeRef, kind } } }
      const { namespace = 'default' } = stored.metadata
      const where = kind === 'TrainingRuntime' ? { namespace } : {}
      const placed = { ...template, metadata: { ...template.metadata, ...where } } as AnyTrainingRuntime
      const written = await rewritten({ runtimes: [placed], trainJob: stored })
      if (written === undefined) throw new Error(`Expected upstream to accept ${job.metadata.name}.`)
      expect(drawn(written.after, placed, [], undefined)).toEqual(drawn(stored, placed, [], undefined))
    }
  })

  it('keeps empty objects inside of patches', async () => {
    const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-distributed')
    if (runtime === undefined) throw new Error('Expected torch-distributed among the shipped runtimes.')
    const trainJob: TrainJob = {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'job', namespace: 'default', uid: 'u' },
      spec: {
        runtimeRef: { name: 'torch-distributed', kind: 'ClusterTrainingRuntime' },
        runtimePatches: [
          { manager: 'a.io/x', trainingRuntimeSpec: { template: { spec: {} } } },
          { manager: 'b.io/x', trainingRuntimeSpec: {} },
        ],
      },
    }
    const written = await rewritten({ runtimes: [runtime], trainJob })
    expect(written?.after.spec.runtimePatches).toEqual(trainJob.spec.runtimePatches)
    expect(toCanonical(trainJob).object.spec.runtimePatches).toEqual(trainJob.spec.runtimePatches)
  })
})

/** Everything that comes of a job, with the pods as Kueue counts them, which must be those that the renderer names. */
function drawn(
  trainJob: TrainJob,
  runtime: AnyTrainingRuntime,
  facts: readonly KubernetesObject[] | undefined,
  compat: 'upstream' | undefined,
): unknown {
  const { objects, podSets } = render(trainJob, runtime, { facts: { objects: facts ?? [] }, ...(compat && { compat }) })
  const jobSet = objects.find((object): object is JobSet => object.kind === 'JobSet')
  if (jobSet !== undefined) {
    const replicas = new Map(jobSet.spec.replicatedJobs?.map((job) => [job.name, job.replicas ?? 1]))
    const counts = podSets.map(({ name, count }) => ({ name, count: count * (replicas.get(name) ?? 0) }))
    expect(counts).toEqual(countedByKueue(jobSet))
  }
  return { objects: comparable(JSON.parse(JSON.stringify(objects))), podSets }
}

/** Source: sigs.k8s.io/kueue, pkg/controller/jobs/jobset: parallelism, at most completions, for each replica. */
function countedByKueue({ spec }: JobSet): readonly { readonly name: string; readonly count: number }[] {
  return (spec.replicatedJobs ?? []).map(({ name, replicas = 1, template }) => {
    const { parallelism = 1, completions = parallelism } = template.spec ?? {}
    return { name, count: replicas * Math.min(parallelism, completions) }
  })
}

async function examples(): Promise<KubernetesObject[]> {
  const folder = path.join(import.meta.dirname, 'dialect/examples')
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject))
}

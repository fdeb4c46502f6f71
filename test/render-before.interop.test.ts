import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyTrainingRuntime, KubernetesObject, TrainJob } from '@trainjob/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { CHANGES, unexplained } from './render/changes.ts'
import { question, update } from './render/question-arbitrary.ts'
import { seeded } from './render/seeded.ts'
import { VIOLATIONS } from './render/violations.ts'

const built = await buildOracle('2.2.1')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with the release before. ${built.missing}\n`)

/** Rules that 2.3.0 added, or reports at another field. */
const NEW_RULES: readonly string[] = [
  // trainer#3714
  'dataset-initializer: the container has the volume',
  'model-initializer: the container has the volume',
  // trainer#3416
  'torch: containers that get variables exist',
  // trainer#3302
  'torchtune: LoRA on one node only',
  // names the one argument instead of all
  'torchtune: items that the runtime sets',
  // trainer#3491
  'mpi: reserved variables',
  // looks at the number of the job, too
  'flux: at least one process',
]

describe.skipIf('missing' in built)('render and validate against Kubeflow Trainer 2.2.1', () => {
  const release = built as BuiltOracle
  let oracle: Oracle
  beforeAll(() => {
    oracle = startOracle(release)
  })
  afterAll(() => oracle[Symbol.asyncDispose]())

  it('differs only where upstream itself has changed', async () => {
    const objects = (await Promise.all([manifests(release.runtimes), manifests(release.examples)])).flat()
    const runtimes = objects.filter(
      (object): object is AnyTrainingRuntime =>
        object.kind === 'ClusterTrainingRuntime' || object.kind === 'TrainingRuntime',
    )
    const jobs = objects.filter((object): object is TrainJob => object.kind === 'TrainJob')
    const asked: Question[] = [
      ...jobs.flatMap((trainJob) => {
        const runtime = runtimes.find(({ metadata }) => metadata.name === trainJob.spec.runtimeRef.name)
        return runtime ? [{ runtimes: [runtime], trainJob }] : []
      }),
      ...runtimes.map((runtime) => ({ runtimes: [runtime], trainJob: jobOf(runtime) })),
    ]
    expect(asked.length).toBeGreaterThan(10)
    const pulls = new Set<number>()
    for (const one of asked) {
      const answer = await oracle.ask(one)
      expect(answer.schemaErrors).toBeUndefined()
      const { differences, seen } = unexplained(one, answer)
      expect(differences, one.runtimes[0]?.metadata.name).toEqual([])
      for (const change of seen) for (const pull of change.pulls) pulls.add(pull)
    }
    expect([...pulls].sort()).toEqual([3325, 3561, 3649])
  })

  it('differs from generated jobs and updates only where upstream itself has changed', async () => {
    const counts = new Map(CHANGES.map(({ change }) => [change, 0]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(question, update), async (asked) => {
        const answer = await oracle.ask(asked)
        if (answer.schemaErrors) return
        const { differences, seen } = unexplained(asked, answer)
        expect(differences).toEqual([])
        for (const { change } of seen) counts.set(change, (counts.get(change) ?? 0) + 1)
      }),
      seeded<[Question]>('generated jobs against the release before', 500),
    )
    for (const { change, pulls } of CHANGES) {
      const links = pulls.map((pull) => `trainer#${pull}`).join(', ')
      process.stderr.write(`${String(counts.get(change)).padStart(5)} cases: ${change} (${links})\n`)
    }
  }, 7_200_000)

  it('breaks the same rules, but for those that are new', async () => {
    const missing: string[] = []
    for (const { rule, path: field, question: broken } of VIOLATIONS) {
      const { jobErrors = [], runtimeErrors = [] } = await oracle.ask(broken(2))
      if (![...runtimeErrors, ...jobErrors].some((fault) => fault.path === field)) missing.push(rule)
    }
    expect(missing).toEqual(NEW_RULES)
  })
})

function jobOf({ kind, metadata }: AnyTrainingRuntime): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'job', namespace: 'default', uid: 'u' },
    spec: {
      runtimeRef: { name: metadata.name ?? '', kind },
      trainer: { numNodes: 2, numProcPerNode: 1, env: [{ name: 'A', value: 'b' }] },
    },
  }
}

async function manifests(folder: string): Promise<KubernetesObject[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'))
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject))
    .filter((object) => object?.apiVersion === 'trainer.kubeflow.org/v1alpha1')
}

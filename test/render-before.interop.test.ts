import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { AnyTrainingRuntime, KubernetesObject, TrainJob } from '@trainjob/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type BuiltOracle, buildOracle } from './oracle/build.ts'
import { type Oracle, type Question, startOracle } from './oracle/oracle.ts'
import { ourVerdict, upstreamVerdict } from './render/answers.ts'
import { differences } from './render/differences.ts'
import { VIOLATIONS } from './render/violations.ts'

const built = await buildOracle('2.2.1')
if ('missing' in built) process.stderr.write(`NOT RUN: comparison with the release before. ${built.missing}\n`)

/** What Kubeflow Trainer changed between 2.2.1 and 2.3.0, and where it shows. */
const CHANGES: readonly { readonly change: string; readonly at: RegExp }[] = [
  { change: 'modes of the ssh files (trainer#3649)', at: /\.volumes\[mpi-ssh-auth\]\.secret\.(defaultMode|items)/ },
  { change: 'flux: shared memory', at: /\.(volumes\[shared-memory\]|volumeMounts\[\/dev\/shm\])/ },
]

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
    const unexplained: string[] = []
    const explained = new Set<string>()
    for (const question of asked) {
      const answer = await oracle.ask(question)
      expect(answer.schemaErrors).toBeUndefined()
      for (const at of differences(ourVerdict(question), upstreamVerdict(answer))) {
        const known = CHANGES.find((change) => change.at.test(at))
        if (known) explained.add(known.change)
        else unexplained.push(`${question.runtimes[0]?.metadata.name}: ${at}`)
      }
    }
    expect(unexplained).toEqual([])
    expect([...explained].sort()).toEqual(CHANGES.map(({ change }) => change).sort())
  })

  it('breaks the same rules, but for those that are new', async () => {
    const missing: string[] = []
    for (const { rule, path: field, question } of VIOLATIONS) {
      const { jobErrors = [], runtimeErrors = [] } = await oracle.ask(question(2))
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

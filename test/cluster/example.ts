import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EnvVar, KubernetesObject, TrainJob } from '@trainjob/api'
import { parseManifests } from '@trainjob/api/parse'
import { expect } from 'vitest'

/** The folder of all examples. */
export const EXAMPLES: string = join(import.meta.dirname, '../../examples')

/** What an example's manifest holds. */
export interface Example {
  readonly job: TrainJob
  readonly objects: readonly KubernetesObject[]
}

/** Reads `trainjob.yaml` of an example. */
export async function readExample(name: string): Promise<Example> {
  const file = join(EXAMPLES, name, 'trainjob.yaml')
  const { documents, errors } = parseManifests(await readFile(file, 'utf8'), { file })
  expect(errors).toEqual([])
  const objects = documents.map((document) => document.object)
  const job = objects.find((object) => object.kind === 'TrainJob') as TrainJob
  return { job, objects }
}

/** How a test changes an example's job. */
export interface ExampleChange {
  readonly name?: string
  readonly runtime?: string
  readonly nodes?: number
  readonly env?: Readonly<Record<string, string>>
  /** In place of the command's first word. */
  readonly program?: string
}

/** The job of an example, its files by their real paths: test clusters have no workspace. */
export async function exampleJob(example: string, change: ExampleChange = {}): Promise<TrainJob> {
  const { job } = await readExample(example)
  const { trainer = {}, runtimeRef } = job.spec
  const { name = `${example}-example`, runtime = runtimeRef.name, nodes, env = {}, program } = change
  const kept = trainer.env?.filter((one) => env[one.name] === undefined) ?? []
  const changed: EnvVar[] = Object.entries(env).map(([key, value]) => ({ name: key, value }))
  const [first = '', ...rest] = (trainer.command ?? []).map((word) =>
    word.replace('/workspace', join(EXAMPLES, example)),
  )
  return {
    ...job,
    metadata: { ...job.metadata, name },
    spec: {
      ...job.spec,
      runtimeRef: { ...runtimeRef, name: runtime },
      trainer: {
        ...trainer,
        ...(nodes !== undefined && { numNodes: nodes }),
        command: [program ?? first, ...rest],
        env: [...kept, ...changed],
      },
    },
  }
}

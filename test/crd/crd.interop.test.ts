import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { applyDefaults, type KubernetesObject } from '@trainjob/api'
import { type CustomResourceDefinition, customResourceDefinitions } from '@trainjob/api/crd'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { type BuiltOracle, buildOracle } from '../oracle/build.ts'
import { question, update } from '../render/question-arbitrary.ts'
import { seeded } from '../render/seeded.ts'
import {
  type Admission,
  type AdmissionAnswer,
  type AdmissionQuestion,
  checkDefinitions,
  startAdmission,
} from './admission.ts'
import { anyObject } from './any-object.ts'
import { buildAdmission } from './build.ts'
import { mutated, scratched } from './mutation.ts'

const built = await buildOracle('2.3.0')
const binary = await buildAdmission()
const lacking = [built, binary].flatMap((part) => (typeof part !== 'string' && 'missing' in part ? [part.missing] : []))
if (lacking.length > 0) process.stderr.write(`NOT RUN: comparison with upstream's definitions. ${lacking.join(' ')}\n`)

describe.skipIf(lacking.length > 0)('our definitions against those of Kubeflow Trainer 2.3.0', () => {
  const release = built as BuiltOracle
  const program = binary as string
  let folder: string
  let admission: Admission
  const folders: string[] = []
  beforeAll(async () => {
    folder = await written(customResourceDefinitions())
    admission = startAdmission(program, [release.crds, folder])
  })
  afterAll(async () => {
    await admission[Symbol.asyncDispose]()
    await Promise.all(folders.map((one) => rm(one, { recursive: true, force: true })))
  })

  async function written(definitions: readonly CustomResourceDefinition[]): Promise<string> {
    const into = await mkdtemp(path.join(tmpdir(), 'trainjob-crds-'))
    folders.push(into)
    for (const crd of definitions) {
      const text = stringify(crd, { aliasDuplicateObjects: false })
      await writeFile(path.join(into, `${crd.spec.names.plural}.yaml`), text)
    }
    return into
  }

  /** Both must store the same, drop the same and refuse for the same reasons. Says whether they accepted. */
  async function compare(asked: AdmissionQuestion): Promise<boolean> {
    const [upstream, ours] = await admission.ask(asked)
    expect(verdictOf(ours)).toEqual(verdictOf(upstream))
    return ours?.faults.length === 0
  }

  /** Compares generated cases; so many of a hundred must have been accepted, so that not all is said by refusals. */
  async function compareAll(name: string, cases: fc.Arbitrary<AdmissionQuestion>, runs: number, accepted: number) {
    const settings = seeded<[AdmissionQuestion]>(name, runs)
    let count = 0
    let asked = 0
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        asked++
        if (await compare(one)) count++
      }),
      settings,
    )
    process.stderr.write(`${name}: ${count} of ${asked} accepted\n`)
    expect(count).toBeGreaterThanOrEqual((asked * accepted) / 100)
    expect(count).toBeLessThan(asked)
  }

  it('are definitions that a server takes, as upstream’s are', async () => {
    const forDialect = await written(customResourceDefinitions({ dialect: true }))
    for (const definitions of [folder, forDialect, release.crds]) {
      const faults = await checkDefinitions(program, definitions)
      expect(Object.values(faults)).toEqual([[], [], []])
    }
  })

  it('say the same but for descriptions, messages and what goes without saying', async () => {
    for (const crd of customResourceDefinitions()) {
      const file = path.join(release.crds, `trainer.kubeflow.org_${crd.spec.names.plural}.yaml`)
      const upstream = parse(await readFile(file, 'utf8'), { maxAliasCount: -1 }) as CustomResourceDefinition
      expect(essence(crd.spec)).toEqual(essence(upstream.spec))
    }
  })

  it('treat upstream’s runtimes and examples alike', async () => {
    const objects = (await Promise.all([release.runtimes, release.examples].map(manifests))).flat()
    expect(objects.length).toBeGreaterThan(15)
    for (const object of objects) expect(await compare({ object })).toBe(true)
  })

  it('treat generated jobs and runtimes alike', async () => {
    const objects = question.chain(({ trainJob, runtimes }) => fc.constantFrom(trainJob, ...runtimes))
    const cases = fc.oneof(objects, mutated(objects), scratched(objects)).map((object) => ({ object }))
    await compareAll('jobs and runtimes by definitions', cases, 300, 30)
  }, 600_000)

  it('treat objects made of the schemas alike', async () => {
    const cases = fc.oneof(anyObject, anyObject, mutated(anyObject), scratched(anyObject)).map((object) => ({ object }))
    await compareAll('objects of the schemas', cases, 600, 10)
  }, 600_000)

  it('keep, for the dialect, all that its examples say', async () => {
    const objects = await manifests(path.join(import.meta.dirname, '../dialect/examples'))
    expect(objects.length).toBeGreaterThan(4)
    const definitions = await written(customResourceDefinitions({ dialect: true }))
    await using forDialect = startAdmission(program, [definitions])
    for (const object of objects) {
      const [answer] = await forDialect.ask({ object })
      expect(answer?.pruned ?? []).toEqual([])
    }
  })

  it('treat, for the dialect, canonical objects as upstream does, but for what the webhook fills in', async () => {
    const definitions = await written(customResourceDefinitions({ dialect: true }))
    await using both = startAdmission(program, [release.crds, definitions])
    const objects = question.chain(({ trainJob, runtimes }) => fc.constantFrom<unknown>(trainJob, ...runtimes))
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const [upstream, ours] = (await both.ask({ object })) as [AdmissionAnswer, AdmissionAnswer]
        const filledIn = ours.object && applyDefaults(ours.object as unknown as KubernetesObject)
        expect(verdictOf({ ...ours, object: filledIn })).toEqual(verdictOf(upstream))
      }),
      seeded<[unknown]>('canonical objects by definitions for the dialect', 100),
    )
  })

  it('treat updates alike', async () => {
    const updates = update.map(({ trainJob, oldTrainJob }) => ({
      object: trainJob as unknown,
      old: oldTrainJob as unknown,
    }))
    const changes = anyObject.chain((old) => mutated(fc.constant(old)).map((object) => ({ object, old })))
    await compareAll('updates by definitions', fc.oneof(updates, changes), 300, 10)
  }, 600_000)
})

/** What must be equal; messages may differ. */
function verdictOf(answer: (Omit<AdmissionAnswer, 'object'> & { readonly object: unknown }) | undefined): unknown {
  const { object, pruned, faults } = answer as NonNullable<typeof answer>
  return { object, pruned, faults: [...new Set(faults.map(({ path: place, type }) => `${place}: ${type}`))].sort() }
}

/** A definition without texts for humans, in one order. A list is atomic and a map is not, unless they say otherwise. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !(key === 'description' && typeof inner === 'string') &&
      !(key === 'message' && 'rule' in value) &&
      !(key === 'x-kubernetes-list-type' && inner === 'atomic') &&
      !(key === 'x-kubernetes-map-type' && inner === 'granular'),
  )
  return Object.fromEntries(
    kept.map(([key, inner]) => {
      if (key === 'required') return [key, (inner as readonly string[]).toSorted()]
      if (key === 'rule') return [key, String(inner).replaceAll(' ', '')]
      return [key, essence(inner)]
    }),
  )
}

async function manifests(folder: string): Promise<unknown[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'))
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as { apiVersion?: string } | null))
    .filter((object) => object?.apiVersion === 'trainer.kubeflow.org/v1alpha1')
}

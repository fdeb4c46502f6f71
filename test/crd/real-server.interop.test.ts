import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type CustomResourceDefinition, customResourceDefinitions } from '@trainjob/api/crd'
import { ApiError, type Client, type KubeObject } from '@trainjob/kube'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { installDefinition } from '../control-plane/definitions.ts'
import { type ControlPlane, startControlPlane } from '../control-plane/start.ts'
import { type BuiltOracle, buildOracle } from '../oracle/build.ts'
import { question } from '../render/question-arbitrary.ts'
import { seeded } from '../render/seeded.ts'
import { anyObject } from './any-object.ts'
import { mutated } from './mutation.ts'

const [release, built] = [await buildOracle('2.3.0'), await buildControlPlane()]
const lacking = [release, built].flatMap((part) => ('missing' in part ? [part.missing] : []))
if (lacking.length > 0) process.stderr.write(`NOT RUN: definitions on a real server. ${lacking.join(' ')}\n`)

/** Ours are served under another group, beside upstream's. */
const OUR_GROUP = 'trainjob.example.com'

describe.skipIf(lacking.length > 0)('our definitions and upstream’s on a real kube-apiserver', () => {
  let plane: ControlPlane | undefined
  beforeAll(async () => {
    plane = await startControlPlane(built as BuiltControlPlane)
    for (const crd of customResourceDefinitions()) {
      const { plural } = crd.spec.names
      const file = path.join((release as BuiltOracle).crds, `trainer.kubeflow.org_${plural}.yaml`)
      await install(
        plane.client,
        parse(await readFile(file, 'utf8'), { maxAliasCount: -1 }) as CustomResourceDefinition,
      )
      const spec = { ...crd.spec, group: OUR_GROUP }
      await install(plane.client, { ...crd, metadata: { name: `${plural}.${OUR_GROUP}` }, spec })
    }
  }, 180_000)
  afterAll(() => plane?.stop(), 60_000)

  it('store and refuse the same', async () => {
    const { client } = plane as ControlPlane
    const usual = question.chain(({ trainJob, runtimes }) => fc.constantFrom<unknown>(trainJob, ...runtimes))
    const objects = fc.oneof(usual, mutated(usual), anyObject, mutated(anyObject))
    let [accepted, asked] = [0, 0]
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const upstream = await verdict(client, object, 'trainer.kubeflow.org')
        expect(await verdict(client, object, OUR_GROUP)).toEqual(upstream)
        asked++
        if ('stored' in upstream) accepted++
      }),
      seeded<[unknown]>('objects on a real server', 150),
    )
    expect(accepted).toBeGreaterThan(asked / 5)
    expect(accepted).toBeLessThan(asked)
  }, 600_000)
})

/** Nothing is said of the schema: it is structural, and the group needs no approval. */
async function install(client: Client, crd: CustomResourceDefinition): Promise<void> {
  expect([...(await installDefinition(client, crd))].sort()).toEqual(['Established', 'NamesAccepted'])
}

/** What a server of that group would store and warn of, or which fields it refuses; its words are left out. */
async function verdict(client: Client, object: unknown, group: string): Promise<object> {
  const { kind, ...rest } = object as KubeObject
  const namespaced = kind !== 'ClusterTrainingRuntime'
  const resource = { group, version: 'v1alpha1', plural: `${kind.toLowerCase()}s`, kind, namespaced }
  const metadata = { name: 'x', ...(namespaced && { namespace: 'default' }) }
  const warnings: string[] = []
  try {
    const stored = await client.create(
      resource,
      { ...rest, kind, apiVersion: `${group}/v1alpha1`, metadata },
      { dryRun: true, fieldValidation: 'Warn', onWarning: (text) => warnings.push(text) },
    )
    const { spec, status } = stored as KubeObject & { spec?: unknown; status?: unknown }
    return { stored: { spec, status }, warnings }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const causes = error.status.details?.causes ?? []
    return { refused: [error.reason, ...new Set(causes.map(({ reason, field }) => `${field}: ${reason}`))].sort() }
  }
}

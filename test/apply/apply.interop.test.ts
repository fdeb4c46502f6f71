import { readdir, readFile } from 'node:fs/promises'
import { UNNAMED_MANAGER } from '@trainjob/api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { FieldSchema } from '../../packages/local/src/server/apply/field-schema.ts'
import type { CustomResourceDefinition } from '../../packages/local/src/server/crd/definition.ts'
import { ownershipOf } from '../../packages/local/src/server/crd/ownership.ts'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { type BuiltOracle, buildOracle } from '../oracle/build.ts'
import { type LineProcess, runOracle, startLines } from '../oracle/oracle.ts'
import { seeded } from '../render/seeded.ts'
import { buildApply } from './build.ts'
import { ourCustomSchema, ourSchemas, spare } from './known-schemas.ts'
import { play } from './play.ts'
import { crowd, type Sequence, sequence } from './sequence-arbitrary.ts'

const [built, release, plane] = [await buildApply(), await buildOracle('2.3.0'), await buildControlPlane()]
const lacking = [release, plane].flatMap((part) => ('missing' in part ? [part.missing] : []))
if (typeof built !== 'string') process.stderr.write(`NOT RUN: comparison with Kubernetes' apply. ${built.missing}\n`)

describe.skipIf(typeof built !== 'string')("owners and server-side apply against Kubernetes' own", () => {
  let go: LineProcess
  beforeAll(() => {
    go = startLines(built as string, ['serve'])
  })
  afterAll(() => go[Symbol.asyncDispose]())

  async function agree(generated: fc.Arbitrary<Sequence>, name: string, runs: number): Promise<Record<string, number>> {
    const seen: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(generated, async (given) => {
        for (const { step, ours, theirs } of await play(given, go)) {
          expect(ours).toEqual(theirs)
          const outcome = `${step.kind} ${theirs.code ?? 'done'}`
          seen[outcome] = (seen[outcome] ?? 0) + 1
        }
      }),
      seeded<[Sequence]>(name, runs),
    )
    return seen
  }

  it('agree after every step of generated sequences', async () => {
    const seen = await agree(sequence, 'sequences of writes', 500)
    process.stderr.write(`${JSON.stringify(seen)}\n`)
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['apply done', 'apply 409', 'apply 500', 'update done', 'merge done', 'clientApply done']),
    )
  }, 1_800_000)

  it('know how the fields of built-in kinds can be owned', async () => {
    const theirs = JSON.parse(await runOracle(built as string, ['schemas'])) as Readonly<Record<string, FieldSchema>>
    for (const [kind, ours] of Object.entries(ourSchemas())) {
      expect(ours, kind).toEqual(spare(theirs[kind]))
    }
  })

  it.skipIf(lacking.length > 0)(
    'know how the fields of custom kinds can be owned that come with a cluster',
    async () => {
      const { crds } = release as BuiltOracle
      const files = (await readdir(crds)).filter((name) => name.startsWith('trainer.')).map((name) => `${crds}/${name}`)
      files.push((plane as BuiltControlPlane).jobSetCrd)
      expect(files).toHaveLength(4)
      for (const file of files) {
        const { spec } = parse(await readFile(file, 'utf8'), { maxAliasCount: -1 }) as CustomResourceDefinition
        const schema = spare(ownershipOf(spec.versions[0]?.schema?.openAPIV3Schema ?? {}))
        expect(withoutOurDefault(ourCustomSchema(spec.names.kind)), spec.names.kind).toEqual(schema)
      }
    },
  )

  it('keep as many entries of updates', async () => {
    await agree(crowd, 'updates by many', 50)
  }, 600_000)
})

/** Our definition of TrainJobs gives patches without a manager one; upstream's requires it. */
function withoutOurDefault(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    return key === 'keyDefaults' && UNNAMED_MANAGER === value.manager ? undefined : value
  })
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { httpTransport, type Transport } from '@trainjob/kube'
import { type LocalCluster, startCluster } from '@trainjob/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { installDefinition } from '../control-plane/definitions.ts'
import { type ControlPlane, startControlPlane } from '../control-plane/start.ts'
import { ask } from './ask.ts'
import { BUILTIN_SCENARIOS } from './builtin-scenarios.ts'
import { CUSTOM_SCENARIOS } from './custom-scenarios.ts'
import { GADGET_DEFINITION } from './gadget.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: apply on a real server. ${built.missing}\n`)

describe.skipIf('missing' in built)('ownership on a real kube-apiserver and on ours', () => {
  let [plane, cluster]: [ControlPlane?, LocalCluster?] = []
  let [real, dir] = [undefined as Transport | undefined, '']
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'trainjob-apply-'))
    ;[plane, cluster] = await Promise.all([
      startControlPlane(built as BuiltControlPlane),
      startCluster({ dir, nodeAgent: false, runtimes: [] }),
    ])
    real = httpTransport({ server: plane.url, ca: plane.ca, token: plane.token })
    await Promise.all([plane.client, cluster.client].map((client) => installDefinition(client, GADGET_DEFINITION)))
  }, 180_000)
  afterAll(async () => {
    await real?.close()
    await Promise.all([plane?.stop(), cluster?.stop()])
    await rm(dir, { recursive: true, force: true })
  }, 60_000)

  it.each([...CUSTOM_SCENARIOS, ...BUILTIN_SCENARIOS].map((scenario, index) => ({ ...scenario, index })))(
    '$name',
    async ({ index, ...scenario }) => {
      const [theirs, ours] = await Promise.all([
        ask(real as Transport, scenario, `scenario-${index}`),
        ask((cluster as LocalCluster).transport, scenario, `scenario-${index}`),
      ])
      expect(ours).toEqual(INCOMPLETE.has(scenario.resource.kind) ? within(ours, theirs) : theirs)
    },
  )
})

/** Kinds in which a real server fills in fields that ours leaves out; all else must be the same. */
const INCOMPLETE: ReadonlySet<string> = new Set(['Pod', 'Service', 'Job', 'JobSet'])

/** A value without the fields that another does not have. */
function within(ours: unknown, theirs: unknown): unknown {
  if (Array.isArray(ours) && Array.isArray(theirs)) return theirs.map((item, index) => within(ours[index], item))
  if (typeof ours !== 'object' || ours === null || typeof theirs !== 'object' || theirs === null) return theirs
  const fields = Object.entries(theirs).filter(([name]) => Object.hasOwn(ours, name))
  return Object.fromEntries(fields.map(([name, value]) => [name, within((ours as Fields)[name], value)]))
}

type Fields = Readonly<Record<string, unknown>>

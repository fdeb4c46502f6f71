import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Client,
  createClient,
  httpTransport,
  type KubeObject,
  type Resource,
  type Transport,
} from '@trainjob/kube'
import { type LocalCluster, startCluster } from '@trainjob/local'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
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
    real = await transportOf(plane)
    await Promise.all([install(createClient(real)), install(cluster.client)])
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

async function transportOf({ kubeconfig }: ControlPlane): Promise<Transport> {
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority': string } }[]
    users: { user: { token: string } }[]
  }
  const { server, 'certificate-authority': file } = clusters[0]?.cluster ?? { server: '', 'certificate-authority': '' }
  return httpTransport({ server, ca: await readFile(file, 'utf8'), token: users[0]?.user.token ?? '' })
}

const Definitions: Resource<KubeObject & { status?: { conditions?: { type: string; status: string }[] } }> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

async function install(client: Client): Promise<void> {
  const { name = '' } = GADGET_DEFINITION.metadata
  await client.create(Definitions, GADGET_DEFINITION)
  await vi.waitFor(
    async () => {
      const { status } = await client.get(Definitions, { name })
      expect(status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')).toBe(true)
    },
    { timeout: 60_000, interval: 100 },
  )
  const gadgets: Resource = { group: 'example.com', version: 'v1', plural: 'gadgets', kind: 'Gadget', namespaced: true }
  await vi.waitFor(() => client.list(gadgets), { timeout: 60_000, interval: 100 })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { embeddedServer, realServer, type WireServer } from './wire-server.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: garbage collection on a real control plane. ${built.missing}\n`)

const MINUTES = 60_000
const MAPS = '/api/v1/namespaces/garbage/configmaps'
const HOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'

interface Owner {
  readonly name: string
  readonly uid: string
  readonly kind?: string
  readonly apiVersion?: string
  readonly blockOwnerDeletion?: boolean
}

describe.skipIf('missing' in built)('owners and what they own, on the embedded cluster and on a real one', () => {
  const servers: WireServer[] = []
  beforeAll(async () => {
    servers.push(await embeddedServer(), await realServer(built as BuiltControlPlane))
    for (const server of servers) {
      for (const name of ['garbage', 'elsewhere']) {
        await server.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } })
      }
    }
  }, 2 * MINUTES)
  afterAll(async () => {
    for (const server of servers) await server.close()
  }, MINUTES)

  async function make(
    server: WireServer,
    path: string,
    name: string,
    owners: readonly Owner[] = [],
    more: object = {},
  ) {
    const ownerReferences = owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner }))
    const { status, body } = await server.ask({
      method: 'POST',
      path,
      body: { metadata: { name, ownerReferences, ...more } },
    })
    expect(status).toBe(201)
    return { name, uid: (body as { metadata: { uid: string } }).metadata.uid }
  }

  /** What is left of an object: its owners by name, and whether it goes; `undefined` when it has gone. */
  async function left(server: WireServer, path: string): Promise<object | undefined> {
    const { status, body } = await server.ask({ path })
    if (status === 404) return undefined
    const { ownerReferences = [], deletionTimestamp } = (
      body as { metadata: { ownerReferences?: Owner[]; deletionTimestamp?: string } }
    ).metadata
    return { owners: ownerReferences.map(({ name }) => name), goes: deletionTimestamp !== undefined }
  }

  /** Waits until each path is what is expected, on both servers. */
  async function becomes(expected: Readonly<Record<string, object | undefined>>): Promise<void> {
    for (const server of servers) {
      for (const [path, wanted] of Object.entries(expected)) {
        for (let tries = 0; ; tries++) {
          const found = await left(server, path)
          if (JSON.stringify(found) === JSON.stringify(wanted)) break
          if (tries > 300) expect(found, `${server.name}: ${path}`).toEqual(wanted)
          await sleep(100)
        }
      }
    }
  }

  const goes = (name: string, body: object) => (server: WireServer) =>
    server.ask({ method: 'DELETE', path: `${MAPS}/${name}`, body })
  const held = { finalizers: ['example.com/held'] }

  it.each(['Background', 'Foreground'] as const)('go together: %s', async (propagationPolicy) => {
    const prefix = propagationPolicy.toLowerCase()
    for (const server of servers) {
      const owner = await make(server, MAPS, prefix)
      const child = await make(server, MAPS, `${prefix}-child`, [{ ...owner, blockOwnerDeletion: true }])
      await make(server, MAPS, `${prefix}-grandchild`, [child])
      await goes(prefix, { propagationPolicy })(server)
    }
    await becomes(
      Object.fromEntries(['', '-child', '-grandchild'].map((end) => [`${MAPS}/${prefix}${end}`, undefined])),
    )
  })

  it('wait in the foreground for those that block, and for no others', async () => {
    for (const server of servers) {
      for (const block of [true, false]) {
        const owner = await make(server, MAPS, `waits-${block}`)
        await make(server, MAPS, `waits-${block}-child`, [{ ...owner, blockOwnerDeletion: block }], held)
        await goes(`waits-${block}`, { propagationPolicy: 'Foreground' })(server)
      }
    }
    await becomes({
      [`${MAPS}/waits-true-child`]: { owners: ['waits-true'], goes: true },
      [`${MAPS}/waits-true`]: { owners: [], goes: true },
      [`${MAPS}/waits-false`]: undefined,
      [`${MAPS}/waits-false-child`]: { owners: ['waits-false'], goes: true },
    })
  })

  it('are parted as orphans', async () => {
    for (const server of servers) {
      const owner = await make(server, MAPS, 'orphans')
      await make(server, MAPS, 'orphans-child', [owner])
      await goes('orphans', { propagationPolicy: 'Orphan' })(server)
    }
    await becomes({ [`${MAPS}/orphans`]: undefined, [`${MAPS}/orphans-child`]: { owners: [], goes: false } })
  })

  it('are looked for where they could be', async () => {
    for (const server of servers) {
      const never = { name: 'never', uid: '11111111-1111-1111-1111-111111111111' }
      await make(server, MAPS, 'of-nobody', [never])
      const there = await make(server, MAPS, 'there')
      await make(server, MAPS, 'of-two', [never, there])
      const far = await make(server, MAPS.replace('garbage', 'elsewhere'), 'far')
      await make(server, MAPS, 'of-far', [far])
      const kind = { kind: 'ValidatingWebhookConfiguration', apiVersion: 'admissionregistration.k8s.io/v1' }
      const wide = await make(server, HOOKS, 'wide')
      await make(server, MAPS, 'of-wide', [{ ...wide, ...kind }])
      await make(server, MAPS, 'of-other-wide', [{ ...never, ...kind }])
      await make(server, HOOKS, 'wide-of-nobody', [never])
      await make(server, MAPS, 'of-nothing-known', [{ ...never, kind: 'Nothing', apiVersion: 'example.com/v1' }])
    }
    await becomes({
      [`${MAPS}/of-nobody`]: undefined,
      [`${MAPS}/of-two`]: { owners: ['there'], goes: false },
      [`${MAPS}/of-far`]: undefined,
      [`${MAPS}/of-wide`]: { owners: ['wide'], goes: false },
      [`${MAPS}/of-other-wide`]: undefined,
      [`${HOOKS}/wide-of-nobody`]: { owners: ['never'], goes: false },
      [`${MAPS}/of-nothing-known`]: { owners: ['never'], goes: false },
    })
    for (const server of servers) await server.ask({ method: 'DELETE', path: `${HOOKS}/wide` })
    await becomes({ [`${MAPS}/of-wide`]: undefined })
  })
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { customResourceDefinitions } from '@trainjob/api/crd'
import {
  runtimeAdmission,
  serveWebhooks,
  trainJobAdmission,
  type WebhookServer,
  webhookConfigurations,
} from '@trainjob/controller'
import { type Client, type KubeObject, type Resource, systemClock } from '@trainjob/kube'
import { vi } from 'vitest'
import type { BuiltControlPlane } from '../control-plane/build.ts'
import { makeCredentials } from '../control-plane/credentials.ts'
import { installDefinition } from '../control-plane/definitions.ts'
import { startControlPlane } from '../control-plane/start.ts'
import { type ServedCluster, serveCluster } from '../kubectl/served-cluster.ts'

/** A cluster to which kubectl sends what the document shows. */
export interface DialectCluster {
  readonly name: string
  start(built: BuiltControlPlane): Promise<ServedCluster>
}

/** A real kube-apiserver with our definitions and webhooks, and nothing else of ours; and the embedded cluster. */
export const dialectClusters: readonly DialectCluster[] = [
  { name: 'kube-apiserver', start: startRealCluster },
  { name: 'embedded', start: serveCluster },
]

async function startRealCluster(built: BuiltControlPlane): Promise<ServedCluster> {
  const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-dialect-'))
  const closers: (() => Promise<void>)[] = [() => rm(dir, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    const plane = await startControlPlane(built)
    closers.push(plane.stop)
    closers.push((await installAdmission(plane.client, dir)).close)
    return { dir, kubeconfig: plane.kubeconfig, url: plane.url, client: plane.client, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Definitions, and webhooks that are served by this process; resolves when the server asks them. */
async function installAdmission(client: Client, dir: string): Promise<WebhookServer> {
  for (const crd of customResourceDefinitions({ dialect: true })) await installDefinition(client, crd)
  const { cert, key } = await makeCredentials(path.join(dir, 'credentials'))
  const tls = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
  const hooks = [trainJobAdmission({ reader: client, clock: systemClock }), ...runtimeAdmission()]
  const webhooks = await serveWebhooks({ hooks, tls, host: '127.0.0.1', port: 0 })
  try {
    const target = { server: `https://127.0.0.1:${webhooks.port}`, ca: tls.cert }
    for (const one of webhookConfigurations(hooks, target)) await client.create(configurations(one.kind), one)
    await vi.waitFor(() => areAsked(client), { timeout: 60_000, interval: 100 })
    return webhooks
  } catch (error) {
    await webhooks.close()
    throw error
  }
}

function configurations(kind: string): Resource {
  const plural = `${kind.toLowerCase()}s`
  return { group: 'admissionregistration.k8s.io', version: 'v1', plural, kind, namespaced: false }
}

const Runtimes: Resource<KubeObject & { spec?: { mlPolicy?: { torch?: object } } }> = {
  group: 'trainer.kubeflow.org',
  version: 'v1alpha1',
  plural: 'clustertrainingruntimes',
  kind: 'ClusterTrainingRuntime',
  namespaced: false,
}

/** The server learns of webhooks a moment after they are configured. */
async function areAsked(client: Client): Promise<void> {
  const trial = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name: 'trial' },
    spec: {
      mlPolicy: { torch: { numGPUsPerNode: 1 } },
      template: {
        spec: {
          replicatedJobs: [
            {
              name: 'node',
              template: { spec: { template: { spec: { containers: [{ name: 'node', image: 'i' }] } } } },
            },
          ],
        },
      },
    },
  }
  const { spec } = await client.create(Runtimes, trial, { dryRun: true })
  if (Object.keys(spec?.mlPolicy?.torch ?? {}).length > 0) throw new Error('nobody has been asked')
}

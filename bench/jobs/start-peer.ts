import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterTrainingRuntimes, Nodes } from '@trainjob/api'
import type { Client, KubeObject, Resource } from '@trainjob/kube'
import { shippedRuntimes } from '@trainjob/runtime'
import { startControlPlane } from '@trainjob/test/control-plane'
import type { BuiltControlPlane } from '@trainjob/test/control-plane/build'
import { type Credentials, makeCredentials } from '@trainjob/test/control-plane/credentials'
import { freePorts } from '@trainjob/test/control-plane/free-ports'
import { startPart } from '@trainjob/test/control-plane/part'
import { parseAllDocuments } from 'yaml'
import type { BuiltPeer } from './build-peer.ts'

/** A cluster that completes TrainJobs. */
export interface Completing {
  readonly client: Client
  stop(): Promise<void>
}

const READY_MS = 180_000
/** Above what the API server can take, so that no client holds back. */
const UNLIMITED = { qps: 1000, burst: 2000 }
/** What the server says of the group: Trainer's controller looks there when it starts, and gives up if a kind is missing. */
const TRAINER_KINDS: Resource = {
  group: 'trainer.kubeflow.org',
  version: 'v1alpha1',
  plural: '',
  kind: 'APIResource',
  namespaced: false,
}
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'fake',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': 'fake' },
  },
  status: {
    allocatable: { cpu: '1024', memory: '1Ti', pods: '20000' },
    capacity: { cpu: '1024', memory: '1Ti', pods: '20000' },
  },
}

/** The real control plane with upstream's trainer controller, and KWOK in the place of machines: pods end at once. */
export async function startPeer(plane: BuiltControlPlane, peer: BuiltPeer): Promise<Completing> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trainjob-bench-peer-'))
  await using started = new AsyncDisposableStack()
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const { client, kubeconfig, stop } = await startControlPlane(plane)
  started.defer(stop)

  const crds = path.join(peer.manifests, 'crds')
  for (const file of await readdir(crds)) {
    if (file.startsWith('trainer.')) await createAll(client, path.join(crds, file))
  }
  await until('TrainJobs are served and known', [], async () => {
    const { resources } = (await client.list(TRAINER_KINDS)) as { resources?: readonly { name: string }[] }
    const names = new Set(resources?.map(({ name }) => name))
    return ['trainjobs', 'trainingruntimes', 'clustertrainingruntimes'].every((name) => names.has(name))
  })

  const ports = await freePorts(['webhooks', 'health', 'kwok'])
  const credentials = await makeCredentials(path.join(folder, 'credentials'))
  const died: Promise<never>[] = []
  const run = async (name: string, args: readonly string[], env: Record<string, string>): Promise<void> => {
    const command = path.join(peer.bin, name)
    const part = await startPart({ name, command, args, env, log: path.join(folder, `${name}.log`) })
    started.defer(() => part.stop())
    died.push(part.died)
  }
  const config = await trainerConfig(folder, credentials, ports)
  await run('trainer-controller-manager', ['--config', config], { KUBECONFIG: kubeconfig, TMPDIR: folder })
  await until(
    'the trainer controller is ready',
    died,
    async () => (await fetch(`http://127.0.0.1:${ports.health}/readyz`)).ok,
  )
  const stages = peer.stages.flatMap((file) => ['--config', file])
  const kwok = ['--kubeconfig', kubeconfig, '--manage-all-nodes=true', '--node-lease-duration-seconds=0']
  await run('kwok', [...kwok, '--server-address', `127.0.0.1:${ports.kwok}`, ...stages], { HOME: folder })
  await client.create(Nodes, NODE)
  await createAll(client, path.join(peer.manifests, 'webhook/manifests.yaml'), (object) =>
    calledOn(object, ports.webhooks, credentials.ca),
  )
  for (const runtime of shippedRuntimes()) {
    if (runtime.metadata.name !== 'plain') continue
    await until('runtimes can be made', died, () =>
      client.create(ClusterTrainingRuntimes, runtime as KubeObject).then(() => true),
    )
  }
  const parts = started.move()
  return { client, stop: () => parts.disposeAsync() }
}

async function trainerConfig(
  folder: string,
  credentials: Credentials,
  ports: { readonly webhooks: number; readonly health: number },
): Promise<string> {
  const certificates = path.join(folder, 'k8s-webhook-server/serving-certs')
  await mkdir(certificates, { recursive: true })
  await writeFile(path.join(certificates, 'tls.crt'), await readFile(credentials.cert))
  await writeFile(path.join(certificates, 'tls.key'), await readFile(credentials.key), { mode: 0o600 })
  const file = path.join(folder, 'trainer.json')
  const config = {
    apiVersion: 'config.trainer.kubeflow.org/v1alpha1',
    kind: 'Configuration',
    health: { healthProbeBindAddress: `127.0.0.1:${ports.health}` },
    metrics: { bindAddress: '0' },
    webhook: { host: '127.0.0.1', port: ports.webhooks },
    leaderElection: { leaderElect: false },
    certManagement: { enable: false },
    clientConnection: UNLIMITED,
  }
  await writeFile(file, JSON.stringify(config))
  return file
}

async function createAll(
  client: Client,
  file: string,
  change: (object: KubeObject) => KubeObject = (object) => object,
): Promise<void> {
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const object = document.toJS() as KubeObject | null
    if (object !== null) await client.create(resourceOf(object), change(object))
  }
}

/** The webhooks are called on a port of this machine instead of through a Service. */
function calledOn(object: KubeObject, port: number, ca: string): KubeObject {
  const { webhooks, ...rest } = object as KubeObject & {
    webhooks: { clientConfig: { service: { path: string } } }[]
  }
  const caBundle = Buffer.from(ca).toString('base64')
  const called = webhooks.map((webhook) => {
    const url = `https://127.0.0.1:${port}${webhook.clientConfig.service.path}`
    return { ...webhook, clientConfig: { url, caBundle } }
  })
  const metadata = { ...object.metadata, name: `trainer-${object.metadata.name}` }
  return { ...rest, metadata, webhooks: called } as KubeObject
}

/** Of the kinds that the manifests hold: all are plain plurals without a namespace. */
function resourceOf({ apiVersion, kind }: KubeObject): Resource {
  const [group = '', version = ''] = apiVersion.split('/')
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: false }
}

/** Asks until the answer is yes. Fails when a part dies, or after a long time with the last reason for a no. */
async function until(what: string, died: readonly Promise<never>[], ask: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_MS
  for (let last: unknown; ; await Promise.race([sleep(50), ...died])) {
    try {
      if (await ask()) return
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) throw new Error(`expected that ${what} within ${READY_MS / 1000} s`, { cause: last })
  }
}

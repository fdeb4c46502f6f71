import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobSet, type JobSetSpec, JobSets } from '@trainjob/api'
import { ApiError, type Client, createClient, httpTransport, type KubeObject, type Resource } from '@trainjob/kube'
import { parse } from 'yaml'
import type { BuiltControlPlane } from './build.ts'
import { type Credentials, makeCredentials } from './credentials.ts'
import { CustomResourceDefinitions } from './definitions.ts'
import { freePorts } from './free-ports.ts'
import { jobSetWebhooks } from './job-set-webhooks.ts'
import { type Part, startPart } from './part.ts'
import {
  apiServerArguments,
  controllerManagerArguments,
  etcdArguments,
  PORTS,
  type Ports,
  schedulerArguments,
} from './part-arguments.ts'

/** A real control plane while it runs: etcd, kube-apiserver and its controllers, JobSet's controller. No kubelet. */
export interface ControlPlane {
  /** Process ids by name: `etcd`, `kube-apiserver` … */
  readonly processes: Readonly<Record<string, number>>
  /** `https://127.0.0.1:port`. */
  readonly url: string
  /** PEM. */
  readonly ca: string
  /** Of a user who may do everything. */
  readonly token: string
  /** Path of a kubeconfig whose user may do everything. */
  readonly kubeconfig: string
  readonly client: Client
  /** Ends every part and removes what they left. */
  stop(): Promise<void>
}

const READY_MS = 90_000

/** Which parts to start: all of them, or the API server and its store, which know no kinds but their own then. */
export type ControlPlaneParts = 'all' | 'api-server'

/** Starts the parts on free ports of 127.0.0.1; resolves when all of them work. Leaves nothing behind when it fails. */
export async function startControlPlane(
  built: BuiltControlPlane,
  wanted: ControlPlaneParts = 'all',
  jobSetGates: Readonly<Record<string, boolean>> = {},
): Promise<ControlPlane> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trainjob-control-plane-'))
  const parts: Part[] = []
  let client: Client | undefined

  async function stop(): Promise<void> {
    await client?.close()
    // the store last: the others end faster while it answers
    for (const part of parts.splice(0).reverse()) await part.stop()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const [ports, credentials] = await Promise.all([
      freePorts(PORTS),
      makeCredentials(path.join(folder, 'credentials')),
    ])
    const url = `https://127.0.0.1:${ports.api}`
    const kubeconfig = path.join(folder, 'kubeconfig')
    await writeFile(kubeconfig, kubeconfigText(url, credentials.cert, credentials.token), { mode: 0o600 })
    client = createClient(httpTransport({ server: url, ca: credentials.ca, token: credentials.token }))
    const work: Work = { client, ports, credentials, kubeconfig, folder, built, parts, jobSetGates }
    await bringUpApiServer(work)
    if (wanted === 'all') await bringUpControllers(work)
    const processes = Object.fromEntries(parts.map(({ name, pid }) => [name, pid]))
    return { url, ca: credentials.ca, token: credentials.token, kubeconfig, client, processes, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Work {
  readonly client: Client
  readonly ports: Ports
  readonly credentials: Credentials
  readonly kubeconfig: string
  readonly folder: string
  readonly built: BuiltControlPlane
  /** Those that run. */
  readonly parts: Part[]
  /** Feature gates of JobSet's controller that are not as they are by default. */
  readonly jobSetGates: Readonly<Record<string, boolean>>
}

async function bringUpApiServer(work: Work): Promise<void> {
  const { client, ports, credentials, folder } = work
  await run(work, 'etcd', etcdArguments(ports, path.join(folder, 'etcd')))
  await run(work, 'kube-apiserver', apiServerArguments(ports, credentials))
  await until(work, 'the API server answers', async () => (await client.list(Namespaces)).items.some(isDefault))
}

async function bringUpControllers(work: Work): Promise<void> {
  const { client, ports, credentials, kubeconfig, folder, built } = work
  const crd = parse(await readFile(built.jobSetCrd, 'utf8')) as KubeObject
  await client.create(CustomResourceDefinitions, crd)
  await until(work, 'JobSets are served', () => client.list(JobSets).then(() => true))

  // The garbage collector looks for new kinds only every 30 s, so it starts when all of them are there.
  await run(work, 'kube-controller-manager', controllerManagerArguments(ports, credentials, kubeconfig, folder))
  await run(work, 'kube-scheduler', schedulerArguments(ports, kubeconfig, folder))
  await run(work, 'jobset', ['--config', await jobSetConfig(work)], {
    KUBECONFIG: kubeconfig,
    TMPDIR: path.join(folder, 'jobset'),
  })
  await until(work, 'the JobSet controller is ready', async () => {
    return (await fetch(`http://127.0.0.1:${ports.jobSetHealth}/readyz`)).ok
  })
  const webhooks = await jobSetWebhooks(built.jobSetWebhooks, ports.jobSetWebhooks, credentials.ca)
  for (const webhook of webhooks) await client.create(webhookResource(webhook.kind), webhook)
  await until(work, "JobSet's webhooks are called", async () => {
    const tried = await client.create(JobSets, trial({}), { dryRun: true })
    if (tried.spec.successPolicy === undefined) return false
    const bad = trial({ successPolicy: { operator: 'All', targetReplicatedJobs: ['nobody'] } })
    return client.create(JobSets, bad, { dryRun: true }).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.reason === 'Invalid',
    )
  })
}

async function run(work: Work, name: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const command = path.join(work.built.bin, name)
  work.parts.push(await startPart({ name, command, args, env, log: path.join(work.folder, `${name}.log`) }))
}

/** Asks until the answer is yes. Fails when a part dies, or after a long time with the last reason for a no. */
async function until(work: Work, what: string, ask: () => Promise<boolean>): Promise<void> {
  const died = Promise.race(work.parts.map((part) => part.died))
  died.catch(() => {}) // it may happen later, when nobody asks
  const deadline = Date.now() + READY_MS
  for (let last: unknown; ; await Promise.race([sleep(50), died])) {
    try {
      if (await ask()) return
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) throw new Error(`expected that ${what} within ${READY_MS / 1000} s`, { cause: last })
  }
}

const Namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }

function webhookResource(kind: string): Resource {
  const plural = `${kind.toLowerCase()}s`
  return { group: 'admissionregistration.k8s.io', version: 'v1', plural, kind, namespaced: false }
}

function isDefault({ metadata }: KubeObject): boolean {
  return metadata.name === 'default'
}

function trial(spec: JobSetSpec): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'trial', namespace: 'default' },
    spec: { replicatedJobs: [], ...spec },
  }
}

/** Writes JobSet's configuration, and its certificate to where it looks for one: below the temporary folder. */
async function jobSetConfig({ ports, credentials, folder, jobSetGates }: Work): Promise<string> {
  const certificates = path.join(folder, 'jobset/k8s-webhook-server/serving-certs')
  await mkdir(certificates, { recursive: true })
  await writeFile(path.join(certificates, 'tls.crt'), await readFile(credentials.cert))
  await writeFile(path.join(certificates, 'tls.key'), await readFile(credentials.key), { mode: 0o600 })
  const file = path.join(folder, 'jobset.json')
  const config = {
    apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    health: { healthProbeBindAddress: `127.0.0.1:${ports.jobSetHealth}` },
    metrics: { bindAddress: '0' },
    webhook: { host: '127.0.0.1', port: ports.jobSetWebhooks },
    leaderElection: { leaderElect: false },
    internalCertManagement: { enable: false },
    clientConnection: { qps: 1000, burst: 2000 },
    featureGates: jobSetGates,
  }
  await writeFile(file, JSON.stringify(config))
  return file
}

function kubeconfigText(server: string, ca: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'control-plane', cluster: { server, 'certificate-authority': ca } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'control-plane', context: { cluster: 'control-plane', user: 'admin' } }],
    'current-context': 'control-plane',
  })
}

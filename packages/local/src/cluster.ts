import { mkdir } from 'node:fs/promises'
import {
  applyDefaults,
  ClusterTrainingRuntimes,
  type ConfigMap,
  ConfigMaps,
  type Namespace,
  Namespaces,
  Nodes,
  TrainingRuntimes,
} from '@trainjob/api'
import {
  type AdmissionHook,
  createTrainingRuntimeController,
  createTrainJobController,
  runtimeAdmission,
  trainJobAdmission,
} from '@trainjob/controller'
import {
  type Client,
  createClient,
  createInformer,
  isAlreadyExists,
  type KubeObject,
  systemClock,
} from '@trainjob/kube'
import { shippedRuntimes } from '@trainjob/runtime'
import { LocalError } from './error.ts'
import { createEventExpiry } from './events/expiry.ts'
import { createGarbageCollector } from './garbage/controller.ts'
import { createInformers } from './informers.ts'
import { jobAdmission } from './job/admission.ts'
import { createJobController } from './job/controller.ts'
import { jobSetAdmission } from './jobset/admission.ts'
import { createJobSetController } from './jobset/controller.ts'
import { jobSetPodAdmission } from './jobset/pod-admission.ts'
import type { ClusterOptions, Listening, LocalCluster } from './local-cluster.ts'
import { createNamespaceController } from './namespace/controller.ts'
import { podAdmission } from './node/admission.ts'
import { createNodeAgent, type NodeAgent } from './node/agent.ts'
import { capacityOf, readMachine } from './node/machine.ts'
import { createNotes } from './notes.ts'
import { ownSchemas } from './own-schemas.ts'
import { createScheduler } from './scheduler/controller.ts'
import { fitAdmission } from './scheduler/fit-admission.ts'
import { podPriorityAdmission, priorityClassAdmission } from './scheduler/priority-admission.ts'
import { PriorityClasses, SYSTEM_CLASSES } from './scheduler/priority-class.ts'
import { createAdmission } from './server/admission.ts'
import { createApiServer } from './server/api-server.ts'
import { createDefinitionController } from './server/crd/controller.ts'
import type { StreamSource } from './server/exec/stream-source.ts'
import { randomIds } from './server/ids.ts'
import { RESOURCES } from './server/resources.ts'
import { compactHistory } from './store/compaction.ts'
import { createMemoryStore } from './store/memory.ts'

/** The namespaces of a new cluster. */
const NAMESPACES = ['default', 'kube-system', 'kubeflow-system'] as const
/** Where the Python client reads which release of Trainer it talks to. */
const PUBLIC_CONFIG: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kubeflow-system', name: 'kubeflow-trainer-public' },
  data: { kubeflow_trainer_version: 'v2.3.0' },
}
/** The one node: this machine. */
const NODE_NAME = 'local'

/**
 * Starts a Kubernetes in this process: API server, the Job, JobSet and TrainJob controllers, garbage collector,
 * scheduler, and a node that runs pods as processes. All of them talk through one client. Resolves when it takes work;
 * it keeps the process alive until it is stopped. Throws `LocalError` `start-failed`.
 *
 * @example
 * import { type TrainJob, TrainJobs } from '@trainjob/api'
 *
 * const job: TrainJob = {
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'greet', namespace: 'default' },
 *   spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: 2, command: ['echo', 'hello'] } },
 * }
 * const cluster = await startCluster({ dir: `${folder}/cluster` })
 * try {
 *   await cluster.client.create(TrainJobs, job)
 *   const { spec } = await cluster.client.get(TrainJobs, { namespace: 'default', name: 'greet' })
 *   spec.runtimeRef.kind // => 'ClusterTrainingRuntime'
 * } finally {
 *   await cluster.stop()
 * }
 */
export async function startCluster(options: ClusterOptions): Promise<LocalCluster> {
  const { dir, clock = systemClock, restartBackoff, jobBackoff, workspace, signal } = options
  signal?.throwIfAborted()
  await makeFolder(dir)
  const engine =
    options.runner === undefined || options.runner === 'process'
      ? undefined
      : await import('./node/container-runner/find-engine.ts').then(({ findEngine }) =>
          findEngine(options.runner as 'podman' | 'docker'),
        )
  const notes = createNotes()
  const store = options.store ?? createMemoryStore()
  const admission = createAdmission()
  // the node agent is a client of the server that asks it for logs
  let agent: NodeAgent | undefined
  const apiServer = createApiServer({
    store,
    resources: RESOURCES,
    admission,
    clock,
    ids: randomIds,
    logs: { open: (...request) => agent?.logs.open(...request) ?? noLog() },
    streams: options.nodeAgent === false ? undefined : laterStreams(() => agent?.streams),
  })
  const { transport } = apiServer
  const client = createClient(transport, { fieldManager: 'trainjob' })
  const informers = createInformers(client, clock)
  const capacity = async () => (await agent?.capacity()) ?? capacityOf(readMachine())

  const noteMissingClass = (name: string): void =>
    notes.add(`there is no PriorityClass ${name} on this machine: its pods have priority 0`)
  const priorityClasses = createInformer({ client, clock, resource: PriorityClasses })

  if (options.nodeAgent !== false) {
    agent = createNodeAgent({
      client,
      clock,
      dir,
      workspace,
      restartBackoff,
      claimsDir: options.claimsDir,
      hostPaths: options.hostPaths,
      enforceLimits: options.enforceLimits,
      engine,
      removeDirWhenKilled: options.removeDirWhenKilled,
      nodeName: NODE_NAME,
      onNote: notes.add,
    })
  }
  const scope = { client, clock, informers }
  const controllers = [
    createJobSetController(scope),
    createJobController({ ...scope, ...(jobBackoff !== undefined && { backoff: jobBackoff }) }),
    createScheduler(scope),
    createGarbageCollector({ ...scope, served: () => apiServer.served() }),
    createDefinitionController({ client, clock }),
    createNamespaceController({
      client,
      clock,
      resources: () =>
        apiServer.served().filter(({ namespaced, verbs }) => namespaced && verbs?.includes('list') !== false),
    }),
    createTrainJobController({ client, clock }),
    createTrainingRuntimeController({ client, clock }),
    createEventExpiry({ client, clock }),
  ]

  const running = new AbortController()
  // timers of the controllers do not keep a process alive; a cluster does
  const alive = setInterval(() => {}, 2 ** 30)
  const parts: Promise<void>[] = []
  const listening = new Set<Listening>()
  let stopped: Promise<void> | undefined
  const node = agent

  function check(): void {
    admission.addSchemas(ownSchemas())
    for (const hook of [
      podAdmission(),
      podPriorityAdmission(priorityClasses.store, options.fit === true ? noteMissingClass : undefined),
      priorityClassAdmission(priorityClasses.store),
      jobAdmission(),
      jobSetAdmission(client),
      jobSetPodAdmission(),
      ...(options.fit === true ? [fitAdmission(capacity, notes.add)] : []),
      trainJobAdmission({ reader: client, clock }),
      ...runtimeAdmission(),
    ]) {
      admission.add(hook)
    }
  }

  async function stop(): Promise<void> {
    running.abort()
    // no controller answers the end of the pods any more
    await Promise.allSettled(parts)
    await node?.stop()
    await Promise.all([...listening].map((listener) => listener.close()))
    await client.close()
    await store.close()
    clearInterval(alive)
  }

  try {
    for (const priorityClass of SYSTEM_CLASSES) await createOnce(client, PriorityClasses, priorityClass)
    parts.push(priorityClasses.run(running.signal))
    for (const name of NAMESPACES) await createOnce(client, Namespaces, namespace(name))
    await createOnce(client, ConfigMaps, PUBLIC_CONFIG)
    // What is shipped is known to be right, and stored before anybody checks: the checks take as long to load as all the
    // rest, and the first job is early enough for that.
    if (options.runtimes === undefined) {
      // by a hook, since nobody owns what the server completes
      let shipping = true
      const complete = async ({ object }: { readonly object: KubeObject }) =>
        shipping ? applyDefaults(object) : object
      admission.add({ resource: ClusterTrainingRuntimes, mutate: complete } as AdmissionHook)
      for (const runtime of shippedRuntimes()) await createOnce(client, ClusterTrainingRuntimes, runtime as KubeObject)
      shipping = false
    }
    check()
    const agentEnd = node?.start(NEVER) ?? new Promise<void>(() => {})
    compactHistory(store, clock, running.signal)
    for (const controller of controllers) parts.push(controller.start(running.signal))
    const died = Promise.race([...parts, agentEnd]).then(() => {
      throw new LocalError('start-failed', 'A part of the cluster ended while it started.')
    })
    const ready = (async () => {
      for (const runtime of options.runtimes ?? []) await createRuntime(client, runtime as KubeObject)
      await Promise.all([informers.trainJobs, informers.jobSets, informers.jobs].map((one) => one.hasSynced()))
      await Promise.all([informers.pods, informers.nodes, priorityClasses].map((one) => one.hasSynced()))
      if (node !== undefined) await client.get(Nodes, { name: NODE_NAME })
    })()
    died.catch(() => {})
    await Promise.race([ready, died])
    signal?.throwIfAborted()
  } catch (error) {
    await stop()
    throw signal?.aborted === true || error instanceof LocalError ? error : startFailure(dir, error)
  }

  return {
    client,
    transport,
    apiServer,
    async listen(listenOptions = {}) {
      const { listen } = await import('./server/http/listen.ts')
      const listener = await listen(apiServer, listenOptions)
      listening.add(listener)
      return listener
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
    onNote: notes.listen,
  }
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true })
  } catch (error) {
    throw startFailure(dir, error)
  }
}

function startFailure(dir: string, cause: unknown): LocalError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new LocalError('start-failed', `The cluster did not start in ${dir}: ${message}`, { cause })
}

/** The agent ends when it is told to, after the controllers. */
const NEVER: AbortSignal = new AbortController().signal

function namespace(name: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

function createRuntime(client: Client, runtime: KubeObject): Promise<void> {
  const resource = runtime.kind === 'TrainingRuntime' ? TrainingRuntimes : ClusterTrainingRuntimes
  return createOnce(client, resource, runtime)
}

/** A store that outlives the process has it already. */
async function createOnce(
  client: Client,
  resource: Parameters<Client['create']>[0],
  object: KubeObject,
): Promise<void> {
  try {
    await client.create(resource, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

/** The agent is made after the server that leads users to it. */
function laterStreams(find: () => StreamSource | undefined): StreamSource {
  const streams = (): StreamSource => {
    const found = find()
    if (found === undefined) throw new LocalError('start-failed', 'The node has not started yet.')
    return found
  }
  return {
    exec: (...request) => streams().exec(...request),
    attach: (...request) => streams().attach(...request),
    connect: (...request) => streams().connect(...request),
  }
}

async function* noLog(): AsyncGenerator<Uint8Array> {}

import { type RuntimePatch, type TrainJob, TrainJobs } from '@trainjob/api'
import { type Client, type Clock, type Patch, systemClock } from '@trainjob/kube'
import { canonicalOf } from './canonical-of.ts'
import { clusterForm } from './cluster-form.ts'
import { createRun } from './job/create-run.ts'
import { scaleJob } from './job/scale-job.ts'
import { translated } from './to-trainer-error.ts'
import type { TrainJobRun } from './train-job-run.ts'

/** How to submit. */
export interface SubmitOptions {
  readonly signal?: AbortSignal
  /** Ask the server to check it without storing it. */
  readonly dryRun?: boolean
  /** Called once per warning of the server. */
  readonly onWarning?: (text: string) => void
}

/** Which jobs; those of the client's namespace when nothing is said. The selector is written as for kubectl. */
export interface ListTrainJobsOptions {
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly labelSelector?: string
  readonly signal?: AbortSignal
}

/** Where the job is. */
export interface NamedOptions {
  /** Default: the client's namespace. */
  readonly namespace?: string
  readonly signal?: AbortSignal
}

/** How to resume. */
export interface ResumeOptions {
  readonly signal?: AbortSignal
  /** Replaces `spec.runtimePatches` in the same request. */
  readonly runtimePatches?: readonly RuntimePatch[]
}

/**
 * Submits, finds and drives TrainJobs through one Kubernetes API. Rejects with `TrainerError` only.
 *
 * @example
 * const trainer = await TrainerClient.connect({ namespace: 'default' })
 * const run = await trainer.submit(trainJob, { dryRun: true })
 * run.name // => 'mnist'
 * await trainer.close()
 */
export interface TrainerClient {
  /** Where jobs are that name no namespace. */
  readonly namespace: string
  /** The client below, for everything this one does not do. */
  readonly kube: Client
  /** Creates the job. Rejects with `already-exists` when the name is taken, `invalid` when the server refuses the object. */
  submit(trainJob: TrainJob, options?: SubmitOptions): Promise<TrainJobRun>
  /** A handle on a job that exists; else `not-found`. */
  attach(name: string, options?: NamedOptions): Promise<TrainJobRun>
  /** Reads a job; `not-found` when there is none. */
  get(name: string, options?: NamedOptions): Promise<TrainJob>
  /** All jobs that match, however many. */
  list(options?: ListTrainJobsOptions): Promise<readonly TrainJob[]>
  /** Deletes the job and what belongs to it; resolves when the server has taken the request. */
  delete(name: string, options?: NamedOptions & { propagationPolicy?: 'Background' | 'Foreground' }): Promise<void>
  /** Ends the pods of the job until it is resumed. */
  suspend(name: string, options?: NamedOptions): Promise<TrainJob>
  /** Lets a suspended job run; also the moment to change its patches. */
  resume(name: string, options?: NamedOptions & ResumeOptions): Promise<TrainJob>
  /**
   * Gives a job of an elastic runtime another number of nodes, also while it runs. `invalid` when it is not elastic, has
   * ended, takes fewer or more nodes only, or when the cluster's controller is upstream's, which cannot scale.
   */
  scale(name: string, nodes: number, options?: NamedOptions): Promise<TrainJob>
  /** Changes a job; `invalid` when a field may not change. */
  patch(name: string, patch: Patch, options?: NamedOptions & SubmitOptions): Promise<TrainJob>
  /** Ends the connections; a client made by `local` also ends what runs here. */
  close(): Promise<void>
}

/** Which cluster. */
export interface ConnectOptions {
  /** Path of a kubeconfig file; default `KUBECONFIG`, then `~/.kube/config`, then the pod's service account. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What a client of the SDK needs besides one of Kubernetes. */
export interface OverOptions {
  /** Default `default`. */
  readonly namespace?: string
  readonly clock?: Clock
}

/** How jobs run in this process. */
export interface LocalOptions {
  /** Where pods, logs and volumes live; a folder for temporary files, removed by `close`, when left out. */
  readonly dir?: string
  /** The folder that the job's processes see at `/workspace`. */
  readonly workspace?: string
  /** Scales what jobs ask for down to this machine. Off when left out: what does not fit stays Pending. */
  readonly fit?: boolean
  readonly namespace?: string
  /** Told once each what differs here from a cluster. */
  readonly onNote?: (note: string) => void
}

/** Makes clients. */
export interface TrainerClientFactory {
  /** A client of the cluster that a kubeconfig names. Rejects with `TrainerError` `config`. */
  connect(options?: ConnectOptions): Promise<TrainerClient>
  /** A client over a Kubernetes client that exists, for example of the embedded cluster. */
  over(client: Client, options?: OverOptions): TrainerClient
  /** A client of a cluster in this process, which runs jobs as processes here until the client is closed. */
  local(options?: LocalOptions): Promise<TrainerClient>
}

export const TrainerClient: TrainerClientFactory = {
  async connect(options = {}) {
    const { connectToCluster } = await import('./connect-to-cluster.ts')
    const { client, namespace } = await connectToCluster(options)
    return over(client, { namespace })
  },
  over,
  async local(options = {}) {
    const { startLocally } = await import('./start-locally.ts')
    const { client, stop } = await startLocally(options)
    return { ...over(client, options), close: stop }
  },
}

const FIELD_MANAGER = 'trainjob'

function over(kube: Client, { namespace: own = 'default', clock = systemClock }: OverOptions = {}): TrainerClient {
  const keyOf = (name: string, options: NamedOptions) => ({ namespace: options.namespace ?? own, name })
  const form = clusterForm(kube)
  const callOf = ({ signal }: { signal?: AbortSignal }) => (signal === undefined ? {} : { signal })

  function run(trainJob: TrainJob, submitted: boolean): TrainJobRun {
    return createRun({ client: kube, clock, trainer: self, trainJob, submitted })
  }

  const self: TrainerClient = {
    namespace: own,
    kube,
    submit(trainJob, options = {}) {
      const namespace = trainJob.metadata.namespace ?? own
      const name = trainJob.metadata.name ?? `${trainJob.metadata.generateName}…`
      const what = `submit TrainJob ${namespace}/${name}`
      return translated(what, async () => {
        const written = canonicalOf({ ...trainJob, metadata: { ...trainJob.metadata, namespace } }, what)
        const object = await form.adapt(written, callOf(options))
        return run(await kube.create(TrainJobs, object, { ...options, fieldManager: FIELD_MANAGER }), true)
      })
    },
    attach: async (name, options = {}) => run(await self.get(name, options), false),
    get(name, options = {}) {
      const key = keyOf(name, options)
      return translated(`read TrainJob ${key.namespace}/${name}`, () => kube.get(TrainJobs, key, callOf(options)))
    },
    list({ namespace = own, allNamespaces = false, labelSelector, signal } = {}) {
      return translated('list TrainJobs', async () => {
        const found: TrainJob[] = []
        const pages = kube.listAll(TrainJobs, {
          ...(!allNamespaces && { namespace }),
          ...(labelSelector !== undefined && { labelSelector }),
          ...(signal !== undefined && { signal }),
        })
        for await (const trainJob of pages) found.push(trainJob)
        return found
      })
    },
    delete(name, options = {}) {
      const key = keyOf(name, options)
      return translated(`delete TrainJob ${key.namespace}/${name}`, async () => {
        const { propagationPolicy = 'Background' } = options
        await kube.delete(TrainJobs, key, { ...callOf(options), propagationPolicy })
      })
    },
    suspend(name, options = {}) {
      const key = keyOf(name, options)
      return translated(`suspend TrainJob ${key.namespace}/${name}`, () =>
        kube.patch(TrainJobs, key, { type: 'merge', body: { spec: { suspend: true } } }, writing(options)),
      )
    },
    resume(name, options = {}) {
      const key = keyOf(name, options)
      const { runtimePatches } = options
      const body = { spec: { suspend: false, ...(runtimePatches !== undefined && { runtimePatches }) } }
      return translated(`resume TrainJob ${key.namespace}/${name}`, () =>
        kube.patch(TrainJobs, key, { type: 'merge', body }, writing(options)),
      )
    },
    scale(name, nodes, options = {}) {
      const key = keyOf(name, options)
      return translated(`scale TrainJob ${key.namespace}/${name}`, () =>
        scaleJob(kube, form, key, nodes, writing(options)),
      )
    },
    patch(name, patch, options = {}) {
      const { namespace: _, ...rest } = options
      const key = keyOf(name, options)
      return translated(`patch TrainJob ${key.namespace}/${name}`, () =>
        kube.patch(TrainJobs, key, patch, { ...rest, fieldManager: FIELD_MANAGER }),
      )
    },
    close: () => kube.close(),
  }
  return self

  function writing(options: NamedOptions): { fieldManager: string; signal?: AbortSignal } {
    return { ...callOf(options), fieldManager: FIELD_MANAGER }
  }
}

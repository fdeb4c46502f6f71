import type { RuntimePatch, TrainJob } from '@trainjob/api'
import type { Client, Patch } from '@trainjob/kube'
import type { TrainJobRun } from './train-job-run.ts'

export interface SubmitOptions {
  readonly signal?: AbortSignal
  /** Ask the server to check it without storing it. */
  readonly dryRun?: boolean
  /** Called once per warning of the server. */
  readonly onWarning?: (text: string) => void
}

export interface ListTrainJobsOptions {
  readonly namespace?: string
  readonly allNamespaces?: boolean
  readonly labelSelector?: string
  readonly signal?: AbortSignal
}

export interface NamedOptions {
  /** Default: the client's namespace. */
  readonly namespace?: string
  readonly signal?: AbortSignal
}

export interface ResumeOptions {
  readonly signal?: AbortSignal
  /** Replaces `spec.runtimePatches` in the same request. */
  readonly runtimePatches?: readonly RuntimePatch[]
}

/**
 * Submits, finds and drives TrainJobs through one Kubernetes API. Rejects with `TrainerError` only.
 *
 * @example
 * const trainer = await TrainerClient.connect({ context: 'prod' })
 * const run = await trainer.submit(job)
 */
export interface TrainerClient {
  readonly namespace: string
  /** The client below, for everything this one does not do. */
  readonly kube: Client
  submit(trainJob: TrainJob, options?: SubmitOptions): Promise<TrainJobRun>
  /** A handle on a job that exists. */
  attach(name: string, options?: NamedOptions): Promise<TrainJobRun>
  get(name: string, options?: NamedOptions): Promise<TrainJob>
  list(options?: ListTrainJobsOptions): Promise<readonly TrainJob[]>
  /** Deletes the job and what belongs to it; resolves when the server has taken the request. */
  delete(name: string, options?: NamedOptions & { propagationPolicy?: 'Background' | 'Foreground' }): Promise<void>
  suspend(name: string, options?: NamedOptions): Promise<TrainJob>
  resume(name: string, options?: NamedOptions & ResumeOptions): Promise<TrainJob>
  patch(name: string, patch: Patch, options?: NamedOptions & SubmitOptions): Promise<TrainJob>
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Path of a kubeconfig file; default `KUBECONFIG`, then `~/.kube/config`, then the pod's service account. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

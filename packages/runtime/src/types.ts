import type { AnyTrainingRuntime, Findings, KubernetesObject, TrainJob } from '@trainjob/api'

/**
 * What the renderer must be told about the world, because it looks at nothing itself. Everything is optional: what is
 * absent counts as not being in the cluster. `factsWanted` says what matters to a job.
 */
export interface Facts {
  /** Objects that exist already: the JobSet of a running job, its Secrets and PodGroup, PriorityClasses, … */
  readonly objects?: readonly KubernetesObject[]
}

/** What rendering depends on besides the job and its runtime. */
export interface RenderOptions {
  readonly facts?: Facts
  /** Makes keys for the Secrets of a job. What cannot be made is a placeholder in the result, as in a dry run. */
  readonly keys?: Partial<KeySource>
  /** Where training code reports its progress. Without it, pods are not told (upstream's gate `TrainJobStatus`). */
  readonly statusServer?: StatusServer
  /** `upstream` switches every deliberate difference of docs/deviations.md off. */
  readonly compat?: 'upstream'
}

/** Cryptography, which the renderer does not do itself. */
export interface KeySource {
  /** A new pair of ssh keys at every call. */
  ssh(): SshKeys
  /** The curve keys that belong to the uid of a TrainJob: always the same ones. */
  curve(uid: string): CurveKeys
}

/** A pair of ssh keys. */
export interface SshKeys {
  /** PEM. */
  readonly privateKey: string
  /** A line of `authorized_keys`, with its end. */
  readonly publicKey: string
}

/** A pair of Curve25519 keys as ZeroMQ writes them: Z85, 40 characters each. */
export interface CurveKeys {
  readonly publicKey: string
  readonly secretKey: string
}

/** The server to which training code reports. */
export interface StatusServer {
  /** Without path: `https://kubeflow-trainer-controller-manager.kubeflow-system.svc:10443`. */
  readonly url: string
  /** PEM, of whoever signed the server's certificate. */
  readonly caCertificate: string
}

/** A group of equal pods of the rendered job. */
export interface RenderedPodSet {
  readonly name: string
  /** Value of the ancestor label, when there is one. */
  readonly ancestor?: string
  readonly count: number
}

/** What a TrainJob stands for. */
export interface Rendered {
  /** In apply order, with apiVersion, kind, namespace and owner reference. Empty when nothing may change (a running JobSet). */
  readonly objects: readonly KubernetesObject[]
  readonly podSets: readonly RenderedPodSet[]
  readonly warnings: Findings['warnings']
}

/** `render(trainJob, runtime, options)`: throws `RenderError` (code, message, path); never changes its arguments. */
export type Render = (trainJob: TrainJob, runtime: AnyTrainingRuntime, options?: RenderOptions) => Rendered

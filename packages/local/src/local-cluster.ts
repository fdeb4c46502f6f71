import type { Client, Clock, Transport } from '@trainjob/kube'
import type { ApiServer } from './server/api-server.ts'
import type { Store } from './store/store.ts'

/** How to start an embedded cluster. */
export interface ClusterOptions {
  /** Where pods, logs and volumes live; created if missing. */
  readonly dir: string
  /** The system's clock when left out. */
  readonly clock?: Clock
  /** Waits between attempts of a container in its pod: 1 s doubling to 30 s when left out. */
  readonly restartBackoff?: { readonly initialMs: number; readonly maxMs: number }
  /** Waits between failed pods of a Job: 10 s doubling to 10 min when left out, as Kubernetes does. */
  readonly jobBackoff?: { readonly initialMs: number; readonly maxMs: number }
  /**
   * Scales requests of JobSets down to this machine, and gives pods priority 0 whose priority class is not here. Off
   * when left out: what does not fit stays Pending, and such pods are refused.
   */
  readonly fit?: boolean
  /** Folder that containers see at `/workspace`. */
  readonly workspace?: string
  /** How containers run: as processes of this machine (when left out), or from their images through a container engine. */
  readonly runner?: 'process' | 'podman' | 'docker'
  /** Folders besides `workspace` that hostPath volumes may name. */
  readonly hostPaths?: readonly string[]
  /** Folders of persistent volume claims; below `dir` when left out. Kept elsewhere, their data outlives the cluster. */
  readonly claimsDir?: string
  /** A container that uses more memory than its limit is ended, as OOMKilled where the system can tell. */
  readonly enforceLimits?: boolean
  /** `dir` belongs to this cluster alone and is removed should this process be killed. */
  readonly removeDirWhenKilled?: boolean
  /** `false`: there is no node, and whoever adds one reports what its pods do. */
  readonly nodeAgent?: false
  /** Objects created at start; the shipped runtimes when left out. */
  readonly runtimes?: readonly { apiVersion: string; kind: string; metadata: object }[]
  /** In memory when left out. The cluster closes it when it stops. */
  readonly store?: Store
  /** Checked while starting. */
  readonly signal?: AbortSignal
}

/** Where a cluster listens, and how to reach it. */
export interface Listening {
  /** `https://127.0.0.1:port`. */
  readonly url: string
  /** PEM. */
  readonly caCert: string
  /** Bearer token; whoever has it may do everything. */
  readonly token: string
  /** The unix socket on which the API is served, too. */
  readonly socket?: string
  /** A kubeconfig document of one context, `trainjob-local` unless named otherwise. It contains the token. */
  kubeconfig(options?: { name?: string }): string
  close(): Promise<void>
}

/** How to listen. */
export interface ListenOptions {
  /** A free one when left out or 0. */
  readonly port?: number
  /** `127.0.0.1` when left out; only loopback addresses are accepted. */
  readonly host?: string
  /** Folder that keeps certificate and token between runs; both are fresh when left out. */
  readonly credentialsDir?: string
  /**
   * Path of a unix socket to serve on as well, in plain HTTP, in a folder that only the user may enter; what is there
   * is replaced. Where the system has no such sockets, or the path is too long for one, it is left out.
   */
  readonly socket?: string
}

/** A running embedded cluster. */
export interface LocalCluster {
  readonly client: Client
  /** For clients of other shapes; `client` goes through it too. */
  readonly transport: Transport
  readonly apiServer: ApiServer
  /** Serves the API over TLS. Throws `LocalError` `listen-failed`. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Terminates the pods, waits for them, and leaves no process, timer or port behind. May be called again. */
  stop(): Promise<void>
  /** What a user should be told about how the cluster runs things here; past notes first, each one once. */
  onNote(listener: (note: string) => void): void
}

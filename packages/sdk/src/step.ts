/** One node of a job: what runs under the name that `logs` prints. */
export interface Step {
  /** `node-0`, `launcher-0`, `dataset-initializer-0`, … */
  readonly node: string
  /** Name of the replicated job. */
  readonly replicatedJob: string
  /** The newest pod of this node; absent while none was created. */
  readonly pod?: string
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  /** All containers of the pod are ready. */
  readonly ready: boolean
  /** Restarts of containers in the same pod. */
  readonly restarts: number
  /** Why it waits or how it ended: `Unschedulable`, `CrashLoopBackOff`, `Error`, … */
  readonly reason?: string
  readonly message?: string
  /** Exit code of the main container, once it ended. */
  readonly exitCode?: number
}

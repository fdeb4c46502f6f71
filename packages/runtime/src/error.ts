/** Why a function of this package threw. */
export const RENDER_ERROR_CODES = [
  /** An MPI implementation other than Open MPI. */
  'unsupported-mpi',
  /** Flux without a number of nodes, as upstream has it: its controller crashes. */
  'flux-needs-nodes',
  /** A strategic merge patch that contradicts itself or lacks a merge key. */
  'invalid-patch',
  /** `envInjection` names a job or container that the runtime lacks. */
  'env-injection-target-not-found',
  /** An operation of a JSON Patch leads nowhere, or a test of one fails. */
  'json-patch-failed',
  /** The runtime's GPUs per node are not those that the node asks for. */
  'gpu-count-mismatch',
  /** The runtime snapshot of a job is damaged, someone else's, or of another runtime. */
  'invalid-snapshot',
] as const
/** One of `RENDER_ERROR_CODES`. */
export type RenderErrorCode = (typeof RENDER_ERROR_CODES)[number]

/** Thrown by this package. `path` is the field at fault, like `spec.mlPolicy.mpi`. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode
  readonly path: string
  constructor(code: RenderErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.path = path
  }
}

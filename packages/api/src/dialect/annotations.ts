/**
 * Annotations that hold what the document's form says and the canonical API has no field for. They survive a writer
 * that knows upstream's Go types only, such as Kueue, which drops every spec field that those lack.
 */

/** On a TrainJob or runtime: `document` when it was written in the document's form. */
export const FORM_ANNOTATION = 'trainjob.dev/form'
/** Value of that annotation. */
export const FORM_DOCUMENT = 'document'

/** On a TrainJob: JSON Patches (RFC 6902) of the JobSet, a list of `JsonPatchEntry` as JSON. */
export const JSON_PATCHES_ANNOTATION = 'trainjob.dev/json-patches'
/** On a TrainJob with an elastic runtime: how many nodes it has now, in place of `numNodes`. */
export const NODES_ANNOTATION = 'trainjob.dev/nodes'

/** On a runtime: processes of each node when the TrainJob says nothing; a whole number, `auto`, `cpu` or `gpu`. */
export const PROCESSES_ANNOTATION = 'trainjob.dev/num-proc-per-node'
/** On a runtime: GPUs of each node, and a process for each. */
export const GPUS_ANNOTATION = 'trainjob.dev/num-gpus-per-node'
/** On a runtime: CPUs that each node asks for when nothing else says so. */
export const CPUS_ANNOTATION = 'trainjob.dev/num-cpus-per-node'
/** On a runtime: torchrun may lose and gain nodes; an `ElasticPolicy` as JSON. */
export const ELASTIC_ANNOTATION = 'trainjob.dev/torch-elastic'
/** On a runtime: where the sshd of MPI workers listens. */
export const SSHD_PORT_ANNOTATION = 'trainjob.dev/sshd-port'
/** On a runtime: fewest and most nodes of a flux cluster, as `2:16`. */
export const FLUX_REPLICAS_ANNOTATION = 'trainjob.dev/flux-replicas'
/** On a runtime: how many pods a gang has at least, in place of the sum of all pods. */
export const MIN_MEMBER_ANNOTATION = 'trainjob.dev/min-member'
/** On a pod template: how its replicated job and container were called where they were written, as `worker/trainer`. */
export const WRITTEN_AS_ANNOTATION = 'trainjob.dev/written-as'

/** Volcano's queue, on the JobSet. Source: volcano.sh/apis, scheduling/v1beta1. */
export const VOLCANO_QUEUE_ANNOTATION = 'scheduling.volcano.sh/queue-name'

/** Bounds of a torch job that may lose and gain nodes. */
export interface ElasticPolicy {
  readonly minReplicas: number
  readonly maxReplicas: number
  /** Wins over the number of GPUs. */
  readonly nprocPerNode?: number
}

/** One operation of RFC 6902. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** What one manager changes with operations. */
export interface JsonPatchEntry {
  readonly manager: string
  /** RFC 3339; set at admission. */
  readonly time?: string
  readonly patch: readonly JsonPatchOperation[]
}

/**
 * The annotation as JSON, or nothing where there is none or it cannot be read.
 *
 * @example
 * const metadata = { annotations: { [ELASTIC_ANNOTATION]: '{"minReplicas":2,"maxReplicas":8}' } }
 * readAnnotation({ metadata }, ELASTIC_ANNOTATION) // => { minReplicas: 2, maxReplicas: 8 }
 */
export function readAnnotation(
  object: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } },
  name: string,
): unknown {
  const text = object.metadata?.annotations?.[name]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether the object was written in the document's form.
 *
 * @example
 * isDocumentForm({ metadata: { annotations: { [FORM_ANNOTATION]: FORM_DOCUMENT } } }) // => true
 */
export function isDocumentForm(object: {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
}): boolean {
  return object.metadata?.annotations?.[FORM_ANNOTATION] === FORM_DOCUMENT
}

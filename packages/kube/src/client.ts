import type { KubeList, KubeObject } from './object.ts'
import type { ObjectKey, Resource } from './resource.ts'

/** Of every call. */
export interface CallOptions {
  /** Ends the call, which then rejects with `KubeError` `aborted`. */
  readonly signal?: AbortSignal
}

/** What to list. Selectors are written as for kubectl: `team=vision,tier!=test`, `status.phase=Running`. */
export interface ListOptions extends CallOptions {
  /** All namespaces when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** `'0'`: what the server has at hand. The newest state when left out. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
  /** Objects of one page. */
  readonly limit?: number
  /** From the page before. */
  readonly continue?: string
}

/** What to watch, and from which version on; without one, it begins with the objects that are there. */
export interface WatchOptions extends CallOptions {
  /** All namespaces when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly allowWatchBookmarks?: boolean
  /** When the server ends the watch; it decides when left out. */
  readonly timeoutSeconds?: number
}

/** One change. A bookmark tells only how far the watch is. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | {
      readonly type: 'BOOKMARK'
      readonly object: { metadata: { resourceVersion: string; annotations?: Record<string, string> } }
    }

/** How to write. */
export interface WriteOptions extends CallOptions {
  /** Whose fields these become; the client's when left out. */
  readonly fieldManager?: string
  /** Everything but storing it. */
  readonly dryRun?: boolean
  /** What becomes of unknown fields; servers warn when it is left out. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  /** `status`, `scale`, … */
  readonly subresource?: string
  /** Called once per `Warning` header of the answer. */
  readonly onWarning?: (text: string) => void
}

/** The four kinds of patch; `apply` is server-side apply. */
export type Patch =
  | { readonly type: 'json'; readonly ops: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object }
  | { readonly type: 'apply'; readonly body: object; readonly force?: boolean }

/** RFC 6902; paths are JSON pointers. */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/**
 * How to delete. `gracePeriodSeconds` is the one of the object when left out, `propagationPolicy` the one of the kind.
 */
export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  /** Deletes only the object that has these. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun?: boolean
}

/** Reads. Rejects with `ApiError` (an answer of status 4xx or 5xx) or `ConnectionError` (no answer). */
export interface Reader {
  get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: CallOptions & { subresource?: string },
  ): Promise<T>
  /** One page when `limit` is set, everything otherwise. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<KubeList<T>>
  /** Every object, fetched in pages of `limit` (default 500). */
  listAll<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): AsyncIterable<T>
  /** One watch request. Ends when the server ends it; an `ERROR` event rejects as `ApiError`. Use a reflector to watch for ever. */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>
}

/** Writes; the object handed in is not changed. Rejects like `Reader`. */
export interface Writer {
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>
  /** The object while it lives on (finalizers, grace period), nothing when it is gone. */
  delete<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: DeleteOptions): Promise<T | undefined>
}

/** What to read of a log. The container may be left out where the pod has only one; `sinceTime` is RFC 3339. */
export interface LogOptions extends CallOptions {
  readonly container?: string
  /** Goes on until the container has ended. */
  readonly follow?: boolean
  /** The run before the last restart. */
  readonly previous?: boolean
  /** Only that many from the end; all of them when left out. */
  readonly tailLines?: number
  readonly sinceSeconds?: number
  readonly sinceTime?: string
  /** RFC 3339 and a space in front of each line. */
  readonly timestamps?: boolean
  readonly limitBytes?: number
}

/** Everything a Kubernetes API offers for objects, and the logs of pods. Made by `createClient`. */
export interface Client extends Reader, Writer {
  /** A pod's log as raw bytes. */
  logs(pod: ObjectKey, options?: LogOptions): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** A signal that aborts with its parent or by itself. */
export interface ChildSignal {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** Lets go of the parent. Call it when the work is over: a long-lived parent must not collect listeners. */
  release(): void
}

/** Derives a signal for one piece of work. `AbortSignal.any` would keep every child alive as long as its parent lives. */
export function childSignal(parent?: AbortSignal): ChildSignal {
  const controller = new AbortController()
  if (parent === undefined) return { signal: controller.signal, abort: (r) => controller.abort(r), release: () => {} }
  const follow = () => controller.abort(parent.reason)
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener('abort', follow),
  }
}

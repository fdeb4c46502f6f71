/**
 * Why a container cannot be started as its pod asks. A state of the container, not a fault of the engine: it is shown
 * as the container's waiting reason, and tried again; `StartError` ends the attempt, since nothing that comes later helps.
 */
export interface ConfigFault {
  readonly reason: 'CreateContainerConfigError' | 'CreateContainerError' | 'StartError'
  readonly message: string
}

/** A value, or why there is none. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ConfigFault }

/** What the container asks for is missing or not allowed. */
export function configFault(message: string): { readonly ok: false; readonly fault: ConfigFault } {
  return { ok: false, fault: { reason: 'CreateContainerConfigError', message } }
}

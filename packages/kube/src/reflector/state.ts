import { ApiError, ConnectionError, isExpired } from '../error.ts'

/** Where a reflector stands. */
export type ReflectorState =
  | {
      readonly phase: 'list'
      /** `0`: whatever the server has at hand, for the first list; `''`: the newest, so that a re-list never goes back in time. */
      readonly resourceVersion: '0' | ''
      /** Asks for the next page of a list under way. */
      readonly continue?: string
      readonly attempts: number
    }
  | {
      readonly phase: 'watch'
      readonly resourceVersion: string
      /** An event has come since the watch was opened. */
      readonly progressed: boolean
      /** Failures since the last healthy period. */
      readonly attempts: number
    }
  | { readonly phase: 'pause'; readonly ms: number; readonly next: Exclude<ReflectorState, { phase: 'pause' }> }

/** What happened to the request of a state. */
export type ReflectorInput =
  | { readonly type: 'page'; readonly resourceVersion: string; readonly continue: string | undefined }
  | { readonly type: 'event'; readonly resourceVersion: string }
  /** The server ended the watch. `openMs`: how long it was open. */
  | { readonly type: 'ended'; readonly openMs: number }
  | { readonly type: 'failed'; readonly error: unknown; readonly openMs: number }
  | { readonly type: 'rested' }

const FIRST_BACKOFF_MS = 800
const MAX_BACKOFF_MS = 30_000
/** A watch that stayed open this long ends the series of failures before it. */
const HEALTHY_MS = 30_000
/** A watch that ends sooner, without an event, would be opened again in a tight loop. */
const SHORT_WATCH_MS = 1_000

export const REFLECTOR_START: ReflectorState = { phase: 'list', resourceVersion: '0', attempts: 0 }

/**
 * The reflector's rules, free of time and I/O. `random` is in [0, 1).
 *
 * list → (pages) → watch → watch … ; a forgotten version (410) goes back to list; failures pause first.
 * There is no end state: a reflector stops only when it is told to.
 */
export function nextReflectorState(state: ReflectorState, input: ReflectorInput, random: number): ReflectorState {
  if (state.phase === 'pause') return state.next
  if (state.phase === 'list') return afterList(state, input, random)
  return afterWatch(state, input, random)
}

function afterList(
  state: Extract<ReflectorState, { phase: 'list' }>,
  input: ReflectorInput,
  random: number,
): ReflectorState {
  const { attempts } = state
  if (input.type === 'page') {
    return input.continue
      ? { ...state, continue: input.continue }
      : // the attempts stay: a list that works while every watch fails must not be repeated without pause
        { phase: 'watch', resourceVersion: input.resourceVersion, progressed: false, attempts }
  }
  if (input.type !== 'failed') return state
  const again: ReflectorState = isPassing(input.error)
    ? { ...state, attempts: attempts + 1 }
    : { phase: 'list', resourceVersion: isExpired(input.error) ? '' : state.resourceVersion, attempts: attempts + 1 }
  return { phase: 'pause', ms: backoff(attempts, random, input.error), next: again }
}

function afterWatch(
  state: Extract<ReflectorState, { phase: 'watch' }>,
  input: ReflectorInput,
  random: number,
): ReflectorState {
  if (input.type === 'event') return { ...state, resourceVersion: input.resourceVersion, progressed: true }
  if (input.type !== 'ended' && input.type !== 'failed') return state
  const attempts = input.openMs >= HEALTHY_MS ? 0 : state.attempts
  const again = { ...state, progressed: false }
  if (input.type === 'ended') {
    if (state.progressed || input.openMs >= SHORT_WATCH_MS) return { ...again, attempts }
    return { phase: 'pause', ms: backoff(attempts, random), next: { ...again, attempts: attempts + 1 } }
  }
  if (isPassing(input.error)) {
    return { phase: 'pause', ms: backoff(attempts, random, input.error), next: { ...again, attempts: attempts + 1 } }
  }
  // The version is forgotten, or the kind is (its definition was replaced), or we may no longer read it: start anew.
  const list: ReflectorState = { phase: 'list', resourceVersion: '', attempts: attempts + 1 }
  if (isExpired(input.error) && attempts === 0) return list
  return { phase: 'pause', ms: backoff(attempts, random, input.error), next: list }
}

/** Failures after which the same request may succeed and our version is still good. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.httpCode === 429 || error.httpCode >= 500
  return error instanceof ConnectionError
}

function backoff(attempts: number, random: number, error?: unknown): number {
  const jittered = FIRST_BACKOFF_MS * 2 ** Math.min(attempts, 10) * (1 + random)
  const asked = error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0
  return Math.max(Math.min(jittered, MAX_BACKOFF_MS), Math.min(asked, MAX_BACKOFF_MS * 4))
}

import type { Container } from '@trainjob/api'
import type { Clock } from '@trainjob/kube'
import { type HandlerTarget, runHandler } from './handlers/run-handler.ts'
import { startProbes } from './probes/prober.ts'
import type { ContainerExit, ExecSpec, RunningContainer } from './runner.ts'
import { withLines } from './terminal/line-terminal.ts'

/** One attempt of a container while it runs: its hooks, its probes, its end, and who looks on. */
export interface RunningAttempt {
  /** Why the engine ended it, when that explains its exit. */
  readonly cause: string | undefined
  /** It was asked to end. */
  readonly ending: boolean
  /** Runs the preStop hook, asks the container to end, and makes it when `patienceMs` are over. Once only. */
  end(patienceMs: number): void
  /** Shortens the patience of one that is ending. */
  hurry(patienceMs: number): void
  /** Ends it at once. */
  kill(cause: string): void
  /** The container has ended: no hook and no probe goes on. */
  over(): void
  exec(spec: ExecSpec): Promise<ContainerExit>
  /** What it prints from now on, until it ends. */
  attach(spec: ViewSpec): Promise<ContainerExit | undefined>
}

/** Who looks on, and how. */
export type ViewSpec = Pick<ExecSpec, 'stdin' | 'onOutput' | 'terminal' | 'signal'>

/** What an attempt tells its pod. */
export interface AttemptEvents {
  onStarted(): void
  onReady(ready: boolean, message: string | undefined): void
  /** The container must be restarted. `graceMs` replaces the pod's grace period. */
  onUnhealthy(why: string, event: { reason: string; message: string }, graceMs: number | undefined): void
  onHookFailed(reason: 'FailedPreStopHook', message: string): void
}

export interface AttemptOptions {
  readonly container: Container
  readonly handle: RunningContainer
  readonly clock: Clock
  /** The pod's address and ports. */
  readonly network: Pick<HandlerTarget, 'ip' | 'portOf'>
  readonly events: AttemptEvents
  /** Receives what the container prints; the container's own output goes through `print`. */
  readonly viewers: Set<ExecSpec['onOutput']>
}

/** What is left for a container after its hook has used up the grace period (source: kubelet, minimumGracePeriodInSeconds). */
const MIN_GRACE_MS = 2_000

/** Starts with the postStart hook, then the probes. */
export function startAttempt(options: AttemptOptions): RunningAttempt {
  const { container, handle, clock, network, events, viewers } = options
  const over = new AbortController()
  const hook = new AbortController()
  const target: HandlerTarget = {
    ...network,
    ports: container.ports,
    clock,
    exec: (spec) => handle.exec(spec),
  }
  let cause: string | undefined
  let ending = false
  let hurried = false
  /** Milliseconds since the epoch. */
  let until = Number.POSITIVE_INFINITY
  let cancelKill: (() => void) | undefined

  function killAt(time: number): void {
    cancelKill?.()
    cancelKill = undefined
    until = time
    const left = time - clock.now()
    if (left <= 0) handle.kill()
    else cancelKill = clock.after(left, () => handle.kill())
  }

  async function begin(): Promise<void> {
    const postStart = container.lifecycle?.postStart
    if (postStart !== undefined) {
      const why = await runHandler(postStart, target, over.signal)
      if (over.signal.aborted || ending) return
      if (why !== undefined) {
        const message = `PostStartHook failed: ${why}`
        events.onUnhealthy('FailedPostStartHook', { reason: 'FailedPostStartHook', message }, undefined)
        return
      }
    }
    startProbes(
      container,
      target,
      clock,
      {
        onStarted: events.onStarted,
        onReady: events.onReady,
        onUnhealthy(kind, message) {
          const probe = kind === 'Liveness' ? container.livenessProbe : container.startupProbe
          const seconds = probe?.terminationGracePeriodSeconds
          events.onUnhealthy(
            `Container ${container.name} failed its ${kind.toLowerCase()} probe: ${message}`,
            { reason: 'Unhealthy', message: `${kind} probe failed: ${message}` },
            seconds === undefined ? undefined : seconds * 1000,
          )
        },
      },
      over.signal,
    )
  }

  async function endGently(patienceMs: number): Promise<void> {
    const preStop = container.lifecycle?.preStop
    if (preStop !== undefined) {
      until = clock.now() + patienceMs
      cancelKill = clock.after(patienceMs, () => hook.abort())
      const why = await runHandler(preStop, target, AbortSignal.any([over.signal, hook.signal]))
      if (over.signal.aborted) return
      if (why !== undefined) events.onHookFailed('FailedPreStopHook', `PreStopHook failed: ${why}`)
      if (!hurried) until = Math.max(until, clock.now() + MIN_GRACE_MS)
    } else {
      until = clock.now() + patienceMs
    }
    handle.terminate()
    killAt(until)
  }

  // runHandler never rejects
  void begin()
  return {
    get cause() {
      return cause
    },
    get ending() {
      return ending
    },
    end(patienceMs) {
      if (ending) return
      ending = true
      if (patienceMs <= 0) handle.kill()
      else void endGently(patienceMs)
    },
    hurry(patienceMs) {
      hurried = true
      killAt(Math.min(until, clock.now() + patienceMs))
    },
    kill(why) {
      cause = why
      handle.kill()
    },
    over() {
      cancelKill?.()
      over.abort()
    },
    exec: (spec) => handle.exec(spec),
    attach(spec) {
      if (spec.terminal === undefined) return attach(spec)
      if (!handle.atTerminal) return withLines({ ...spec, argv: [''] }, attach)
      void resize(handle, spec.terminal)
      return attach(spec)
    },
  }

  async function attach({ stdin, onOutput, signal }: ViewSpec): Promise<ContainerExit | undefined> {
    viewers.add(onOutput)
    const gone = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined)
      else signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    if (stdin !== undefined && container.stdin === true) void feed(handle, stdin, container.stdinOnce === true)
    try {
      return await Promise.race([handle.exit, gone])
    } finally {
      viewers.delete(onOutput)
    }
  }
}

async function resize(handle: RunningContainer, sizes: NonNullable<ViewSpec['terminal']>): Promise<void> {
  for await (const size of sizes) handle.resize(size)
}

/** @param once the container's input ends with that of its first user */
async function feed(handle: RunningContainer, chunks: AsyncIterable<Uint8Array>, once: boolean): Promise<void> {
  try {
    for await (const chunk of chunks) handle.input(chunk)
    if (once) handle.input(undefined)
  } catch {
    // who sends has gone: the container goes on
  }
}

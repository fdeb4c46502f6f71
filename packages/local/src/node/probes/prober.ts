import type { Container, Probe } from '@trainjob/api'
import type { Clock } from '@trainjob/kube'
import type { HandlerTarget } from '../handlers/run-handler.ts'
import { runProbe } from './run-probe.ts'

/** What the probes of a running container have found. */
export interface ProbeVerdicts {
  onStarted(): void
  onReady(ready: boolean, message: string | undefined): void
  /** The container must be restarted. */
  onUnhealthy(kind: 'Liveness' | 'Startup', message: string): void
}

/** Probes a container until the signal aborts. A container without probes is started and ready at once. */
export function startProbes(
  container: Container,
  target: HandlerTarget,
  clock: Clock,
  verdicts: ProbeVerdicts,
  signal: AbortSignal,
): void {
  const { startupProbe, readinessProbe, livenessProbe } = container
  const started = (): void => {
    verdicts.onStarted()
    if (readinessProbe === undefined) verdicts.onReady(true, undefined)
    else repeat(readinessProbe, target, clock, signal, (passed, why) => verdicts.onReady(passed, why))
    if (livenessProbe !== undefined) {
      repeat(livenessProbe, target, clock, signal, (passed, why) => {
        if (!passed) verdicts.onUnhealthy('Liveness', why ?? '')
      })
    }
  }
  if (startupProbe === undefined) {
    started()
    return
  }
  const whileStarting = new AbortController()
  repeat(startupProbe, target, clock, AbortSignal.any([signal, whileStarting.signal]), (passed, why) => {
    whileStarting.abort()
    if (passed) started()
    else verdicts.onUnhealthy('Startup', why ?? '')
  })
}

/** Calls `verdict` whenever the thresholds are reached and the verdict is another than before. */
function repeat(
  probe: Probe,
  target: HandlerTarget,
  clock: Clock,
  signal: AbortSignal,
  verdict: (passed: boolean, message: string | undefined) => void,
): void {
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe
  let passes = 0
  let failures = 0
  let last: boolean | undefined
  let cancel: (() => void) | undefined
  signal.addEventListener('abort', () => cancel?.(), { once: true })
  const once = async (): Promise<void> => {
    const why = await runProbe(probe, target, signal)
    if (signal.aborted) return
    passes = why === undefined ? passes + 1 : 0
    failures = why === undefined ? 0 : failures + 1
    const now = passes >= successThreshold ? true : failures >= failureThreshold ? false : last
    if (now !== undefined && now !== last) {
      last = now
      verdict(now, why)
    }
    // The verdict may have ended the container.
    if (!signal.aborted) cancel = clock.after(periodSeconds * 1000, () => void once())
  }
  // runProbe never rejects
  cancel = clock.after(initialDelaySeconds * 1000, () => void once())
}

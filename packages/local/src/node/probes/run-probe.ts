import type { Probe } from '@trainjob/api'
import { type HandlerTarget, runHandler } from '../handlers/run-handler.ts'

/** Runs a probe once: `undefined` when it passed, else what it met. Never rejects. */
export async function runProbe(probe: Probe, target: HandlerTarget, signal: AbortSignal): Promise<string | undefined> {
  const seconds = probe.timeoutSeconds ?? 1
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
  const why = await runHandler(probe, target, timeout)
  if (why === undefined) return undefined
  if (timeout.aborted) return `no answer within ${seconds} s`
  return probe.httpGet !== undefined && why.startsWith('statuscode') ? `HTTP probe failed with ${why}` : why
}

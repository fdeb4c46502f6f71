import type { TrainJob } from '@trainjob/api'

/** What the training code last said about itself, as a person asks for it. */
export interface ReportedProgress {
  /** Percent. */
  readonly progress?: number
  /** When it will be done, RFC 3339 in UTC: as many seconds after the last report as it said were left. */
  readonly eta?: string
  /** By name; a number where the text is one. */
  readonly metrics: Readonly<Record<string, number | string>>
}

/**
 * The progress of a job whose training code reports it; `undefined` where it has not. The status itself has seconds that
 * are left and metrics as texts (`status.trainerStatus`), and needs the gate TrainJobStatus of the cluster's controller.
 *
 * @example
 * const trainerStatus = {
 *   progressPercentage: 75,
 *   estimatedRemainingSeconds: 1800,
 *   metrics: [{ name: 'loss', value: '0.023' }],
 *   lastUpdatedTime: '2026-06-12T14:00:00Z',
 * }
 * reportedProgress({ ...trainJob, status: { trainerStatus } })
 * // => { progress: 75, eta: '2026-06-12T14:30:00Z', metrics: { loss: 0.023 } }
 */
export function reportedProgress({ status }: Pick<TrainJob, 'status'>): ReportedProgress | undefined {
  const reported = status?.trainerStatus
  if (reported === undefined) return undefined
  const { progressPercentage: progress, estimatedRemainingSeconds: left, lastUpdatedTime } = reported
  const eta = left === undefined ? undefined : later(lastUpdatedTime, left)
  const metrics = (reported.metrics ?? []).map(({ name, value }) => [name, numberOf(value)] as const)
  return {
    ...(progress !== undefined && { progress }),
    ...(eta !== undefined && { eta }),
    metrics: Object.fromEntries(metrics),
  }
}

/** `undefined` for a time that is none, or that no calendar has. */
function later(time: string | undefined, seconds: number): string | undefined {
  const date = new Date(Date.parse(time ?? '') + seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

function numberOf(text: string): number | string {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? text : number
}

import type { Outcome } from '@trainjob/sdk'
import { hints } from '../../hints/hints.ts'
import { elapsed } from '../../output/elapsed.ts'
import type { Followed } from './follow-job.ts'
import type { Metrics } from './metrics.ts'

export interface SummaryOptions {
  readonly name: string
  readonly ms: number
  /** How the user calls us. */
  readonly program: string
  /** In front of the first line, where several jobs ran. */
  readonly title: string
  /** The file that the job came from. */
  readonly file?: string
  /** Whether `logs` will find the lines again. */
  readonly recorded: boolean
}

/** The last lines of a run: how it ended, why, and what to do next. */
export function summary(
  { outcome, metrics }: Pick<Followed, 'outcome' | 'metrics'>,
  options: SummaryOptions,
): string[] {
  const { name, program, title, recorded } = options
  const logs = recorded ? [`logs: ${program} logs ${name}`] : []
  switch (outcome.kind) {
    case 'failed':
      return [...failure(outcome, options), `${title}Failed after ${elapsed(options.ms)}${dotted(logs)}`]
    case 'deleted':
      return [`${title}deleted after ${elapsed(options.ms)}${dotted(logs)}`]
    default:
      return [`${title}Complete in ${elapsed(options.ms)}${dotted([...judged(metrics), ...logs])}`, ...next(options)]
  }
}

function failure(outcome: Outcome & { kind: 'failed' }, { name, program, title }: SummaryOptions): string[] {
  const { reason, message, firstFailure } = outcome
  const lines: string[] = []
  if (firstFailure !== undefined) {
    const { node, exitCode, lastLines, message: why } = firstFailure
    const detail = why === undefined || why === '' ? '' : ` (${why})`
    lines.push(
      `${title}${node} failed first, with exit code ${exitCode}${detail}${lastLines.length > 0 ? '; its last lines:' : ''}`,
    )
    lines.push(...lastLines.map((line) => `  ${line}`))
  }
  lines.push(`${title}${reason}${message === '' ? '' : `: ${message}`}`)
  const facts = { name, program, state: 'Failed' as const, failedReason: reason }
  const found = hints(firstFailure === undefined ? facts : { ...facts, failure: firstFailure })
  lines.push(...found.filter((hint) => !hint.startsWith(program)).map((hint) => `${title}hint: ${hint}`))
  return lines
}

function next({ program, file }: SummaryOptions): string[] {
  if (file === undefined) return []
  return [
    `Next: "${program} render -f ${file}" shows what a cluster would run, "${program} apply -f ${file}" sends it there.`,
  ]
}

function judged(metrics: Metrics): string[] {
  return metrics.latest().map(([name, value]) => `${name} ${value}`)
}

function dotted(parts: readonly string[]): string {
  return parts.map((part) => ` · ${part}`).join('')
}

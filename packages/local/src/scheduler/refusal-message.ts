import type { Job } from '@trainjob/api'
import { type Amounts, formatAmount } from './amounts.ts'
import type { Shortage } from './ledger.ts'

/** Why a pod waits: first as kube-scheduler says it, then the numbers. */
export interface RefusalMessage {
  readonly text: string
  /** The same for refusals that differ only in how much is free just now; they are not worth saying again. */
  readonly gist: string
}

/**
 * @param shortages by node; empty when there is no node
 * @param job the Job of the pod, whose pods are to run at the same time
 */
export function refusalMessage(
  shortages: ReadonlyMap<string, readonly Shortage[]>,
  amounts: Amounts,
  job?: Job,
): RefusalMessage {
  if (shortages.size === 0) return plain('no nodes available to schedule pods')
  const counts = new Map<string, number>()
  const roomiest = new Map<string, Shortage>()
  for (const list of shortages.values()) {
    for (const shortage of list) {
      counts.set(shortage.name, (counts.get(shortage.name) ?? 0) + 1)
      const other = roomiest.get(shortage.name)
      if (other === undefined || shortage.free > other.free) roomiest.set(shortage.name, shortage)
    }
  }
  const names = [...counts.keys()].sort()
  const reasons = names.map(
    (name) => `${counts.get(name)} ${name === 'pods' ? 'Too many pods' : `Insufficient ${name}`}`,
  )
  const head = `0/${shortages.size} nodes are available: ${reasons.join(', ')}.`
  const numbers = names.map((name) => {
    const { requested, free, capacity } = roomiest.get(name) as Shortage
    return `${name}: requested ${formatAmount(name, requested)}, free ${formatAmount(name, free)} of ${formatAmount(name, capacity)}.`
  })
  const never = neverFits([...roomiest.values()]) ?? neverFitsTogether([...roomiest.values()], amounts, job)
  const tail = never === undefined ? '' : ` ${never}`
  return { text: `${head} ${numbers.join(' ')}${tail}`, gist: head + tail }
}

function neverFits(shortages: readonly Shortage[]): string | undefined {
  const hopeless = shortages.find(({ requested, capacity }) => requested > capacity)
  return hopeless && `It can never run here as long as it requests more ${hopeless.name} than there is.`
}

/** A job whose pods wait for each other hangs when only some of them can run. */
function neverFitsTogether(shortages: readonly Shortage[], amounts: Amounts, job: Job | undefined): string | undefined {
  if (job === undefined) return undefined
  const { parallelism = 1, completions = parallelism } = job.spec
  const pods = BigInt(Math.min(parallelism, completions))
  for (const { name, capacity } of shortages) {
    const total = (amounts.get(name) ?? 0n) * pods
    if (pods < 2n || total <= capacity) continue
    const sum = `${formatAmount(name, total)} ${name} in all, and there is ${formatAmount(name, capacity)}`
    return `The ${pods} pods of Job ${job.metadata.name} can never run at the same time: they request ${sum}.`
  }
  return undefined
}

function plain(text: string): RefusalMessage {
  return { text, gist: text }
}

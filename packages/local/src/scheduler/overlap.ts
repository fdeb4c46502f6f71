import type { ReplicatedJob } from '@trainjob/api'

/** With more replicated jobs than this, all of them count as running at the same time. */
const MAX_EXACT = 12

/**
 * Of all sets of replicated jobs that may run at the same time and hold the one at `index`, the weight of the heaviest.
 * Two jobs cannot when one is created only after the other has completed.
 *
 * @param weights by index, not negative
 */
export function heaviestTogether(jobs: readonly ReplicatedJob[], weights: readonly bigint[], index: number): bigint {
  if (jobs.length > MAX_EXACT) return weights.reduce((sum, weight) => sum + weight, 0n)
  const overlap = (a: number, b: number) => !waitsFor(jobs, a, b) && !waitsFor(jobs, b, a)
  const heaviest = (candidates: readonly number[]): bigint => {
    const [first, ...rest] = candidates
    if (first === undefined) return 0n
    const without = heaviest(rest)
    const taken = (weights[first] ?? 0n) + heaviest(rest.filter((other) => overlap(first, other)))
    return taken > without ? taken : without
  }
  const others = [...jobs.keys()].filter(
    (other) => other !== index && (weights[other] ?? 0n) > 0n && overlap(index, other),
  )
  return (weights[index] ?? 0n) + heaviest(others)
}

/** Whether the job is created only after the other has completed, by whatever detour. */
function waitsFor(jobs: readonly ReplicatedJob[], job: number, other: number): boolean {
  const target = jobs[other]?.name
  const seen = new Set<string>()
  const visit = (at: ReplicatedJob | undefined): boolean =>
    (at?.dependsOn ?? []).some(({ name, status }) => {
      if (status !== 'Complete' || seen.has(name)) return false
      seen.add(name)
      return name === target || visit(jobs.find((candidate) => candidate.name === name))
    })
  return visit(jobs[job])
}

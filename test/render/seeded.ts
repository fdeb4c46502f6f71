import type { Parameters } from 'fast-check'

/** The full runs of `pnpm test:long`: ten times as many cases. */
const isLong = process.env.TEST_LONG === 'true'

/**
 * Settings of a generated test: a fresh seed, printed, or the one in `TEST_SEED`; `TEST_RUNS` cases, else `runs`, or ten
 * times as many in a long run. To repeat a failure, set `TEST_SEED` (and `TEST_PATH` to go straight to the smallest
 * failing case).
 */
export function seeded<T>(name: string, runs: number): Parameters<T> {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const numRuns = Number(process.env.TEST_RUNS ?? (isLong ? 10 * runs : runs))
  process.stderr.write(`${name}: TEST_SEED=${seed} TEST_RUNS=${numRuns}\n`)
  return { seed, numRuns, ...(process.env.TEST_PATH ? { path: process.env.TEST_PATH } : {}) }
}

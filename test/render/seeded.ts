import type { Parameters } from 'fast-check'

/**
 * Settings of a generated test: a fresh seed, printed, or the one in `TEST_SEED`; `TEST_RUNS` cases or those given.
 * To repeat a failure, set `TEST_SEED` (and `TEST_PATH` to go straight to the smallest failing case).
 */
export function seeded<T>(name: string, runs: number): Parameters<T> {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const numRuns = Number(process.env.TEST_RUNS ?? runs)
  process.stderr.write(`${name}: TEST_SEED=${seed} TEST_RUNS=${numRuns}\n`)
  return { seed, numRuns, ...(process.env.TEST_PATH ? { path: process.env.TEST_PATH } : {}) }
}

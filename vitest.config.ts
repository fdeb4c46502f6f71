import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** A folder that CI names: each run leaves its counts there as JSON. */
const reports = process.env.TEST_REPORTS

export default defineConfig({
  test: {
    // Generous, because nothing here measures time: a busy machine must not fail a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Two files at once even on two cores: most tests wait for processes that they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/${process.pid}.json` }]] : ['default'],
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'test/docs/**/*.test.ts']),
      project('cluster', ['test/cluster/**/*.test.ts', 'test/dialect/**/*.test.ts']),
      project('interop', ['test/**/*.interop.test.ts']),
      project('packaging', ['test/packaging/**/*.test.ts']),
    ],
  },
})

function project(name: string, include: string[]) {
  // suites against real parts stand beside those that need only Node
  const exclude = name === 'interop' ? configDefaults.exclude : [...configDefaults.exclude, '**/*.interop.test.ts']
  return { extends: true as const, test: { name, include, exclude } }
}

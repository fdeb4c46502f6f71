import type { Reaper } from '../reaper/reaper.ts'
import type { Runner } from '../runner.ts'
import type { TerminalHost } from '../terminal/terminal-host.ts'

/** What a runner has from the engine that uses it. */
export interface RunnerSurroundings {
  /** Marks everything that it starts. */
  readonly engineId: string
  readonly reaper: Reaper
  /** See `ProcessRunnerOptions`. */
  readonly terminals?: (() => TerminalHost | undefined) | undefined
}

/** A program that runs containers from images. */
export interface ContainerEngine {
  readonly name: 'podman' | 'docker'
  createRunner(surroundings: RunnerSurroundings): Runner
}

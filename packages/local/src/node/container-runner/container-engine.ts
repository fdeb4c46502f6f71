import type { Reaper } from '../reaper/reaper.ts'
import type { Runner } from '../runner.ts'

/** A program that runs containers from images. */
export interface ContainerEngine {
  readonly name: 'podman' | 'docker'
  /** @param surroundings the mark and the reaper of the engine that uses it */
  createRunner(surroundings: { readonly engineId: string; readonly reaper: Reaper }): Runner
}

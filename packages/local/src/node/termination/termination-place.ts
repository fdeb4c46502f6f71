import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Container } from '@trainjob/api'
import { mapPath, type PathMapping } from '../mounts/path-map.ts'
import { DEFAULT_TERMINATION_PATH } from './termination-message.ts'

/** Where an attempt of a container says why it ended. */
export interface TerminationPlace {
  /** File of this machine. */
  readonly file: string
  /** When the file was last written before the attempt, milliseconds since the epoch: that is no message of this one. */
  readonly writtenBefore?: number
  /** Set when the path is in no folder of the container: it must be shown to it, or rewritten. */
  readonly mapping?: PathMapping
}

/**
 * A path in a volume or in the project is where the container writes it anyway. Any other becomes a file of the pod's
 * own, new for each attempt.
 *
 * @param known volumes and project of the container
 * @param podDir the pod's folder
 */
export function terminationPlace(
  container: Pick<Container, 'name' | 'terminationMessagePath'>,
  attempt: number,
  known: readonly PathMapping[],
  podDir: string,
): TerminationPlace {
  const path = posix.normalize(container.terminationMessagePath || DEFAULT_TERMINATION_PATH)
  const here = mapPath(path, known)
  if (here !== path) {
    const about = statSync(here, { throwIfNoEntry: false })
    return { file: here, ...(about !== undefined && { writtenBefore: about.mtimeMs }) }
  }
  const file = join(podDir, 'termination', `${container.name}.${attempt}`)
  mkdirSync(dirname(file), { recursive: true })
  closeSync(openSync(file, 'w', 0o666))
  return { file, mapping: { target: path, source: file } }
}

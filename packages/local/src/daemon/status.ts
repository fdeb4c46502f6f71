import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isLocked } from './lock.ts'
import { type ServerPlace, serverFiles } from './server-files.ts'

/** A background cluster that runs. */
export interface RunningServer {
  readonly state: 'running'
  readonly name: string
  readonly pid: number
  readonly url: string
  /** RFC 3339. */
  readonly startedAt: string
  /** File with address, certificate and token. */
  readonly kubeconfig: string
  /** Name of the kubeconfig's context. */
  readonly context: string
  readonly log: string
}

/** One that does not. */
export interface StoppedServer {
  readonly state: 'stopped'
  readonly name: string
  readonly log: string
}

/** What `server.json` holds. */
export type ServerState = Pick<RunningServer, 'pid' | 'url' | 'startedAt' | 'context'>

/**
 * Whether a background cluster runs, and where. A server that was killed leaves its files behind, but not its lock.
 *
 * @example
 * const { state } = await status({ dataDir: folder })
 * state // => 'stopped'
 */
export async function status(place: ServerPlace = {}): Promise<RunningServer | StoppedServer> {
  const { name, lock, state, kubeconfig, log } = serverFiles(place)
  const stopped = { state: 'stopped', name, log } as const
  if (!existsSync(lock) || !(await isLocked(lock))) return stopped
  const written = await readState(state)
  return written === undefined ? stopped : { ...written, state: 'running', name, kubeconfig, log }
}

/** The state of the last server; `undefined` when there is none, or it is being written. */
async function readState(file: string): Promise<ServerState | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ServerState
  } catch {
    return undefined
  }
}

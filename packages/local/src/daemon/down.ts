import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LocalError } from '../error.ts'
import { acquireLock, isLocked } from './lock.ts'
import { type ServerPlace, serverFiles } from './server-files.ts'
import { status } from './status.ts'

/** How to stop a background cluster. */
export interface DownOptions extends ServerPlace {
  /** How long its pods may take to end before everything is killed; 15 s when left out. */
  readonly graceMs?: number
  /** Removes its data, too: objects, logs, volumes and credentials. Also those of a cluster that does not run. */
  readonly purge?: boolean
}

const LOOK_EVERY_MS = 15
const KILLED_WITHIN_MS = 5_000

/**
 * Stops a background cluster and all that runs in it; `false` when it did not run. Its data stay, unless they are to be
 * purged. Throws `LocalError` `stop-failed`.
 *
 * @example
 * await down({ dataDir: folder }) // => false
 */
export async function down(options: DownOptions = {}): Promise<boolean> {
  const ran = await stop(options)
  if (options.purge === true) await purge(options)
  return ran
}

async function stop(options: DownOptions): Promise<boolean> {
  const server = await status(options)
  if (server.state === 'stopped') return false
  const { lock } = serverFiles(options)
  // the lock says that the server lives, so the process with this id is the server
  send(server.pid, 'SIGTERM')
  const ended = async () => !(await isLocked(lock)) && !lives(server.pid)
  if (await within(options.graceMs ?? 15_000, ended)) return true
  send(server.pid, 'SIGKILL')
  if (await within(KILLED_WITHIN_MS, ended)) return true
  throw new LocalError(
    'stop-failed',
    `The server of cluster "${server.name}" (process ${server.pid}) does not end, not even when killed; see ${server.log}.`,
  )
}

/** Under the lock: a server may be starting. */
async function purge(options: DownOptions): Promise<void> {
  const { dir, name, lock: file } = serverFiles(options)
  if (!existsSync(dir)) return
  const lock = await acquireLock(file)
  if (lock === undefined) {
    throw new LocalError('stop-failed', `The data of cluster "${name}" were not removed: a server uses ${dir} again.`)
  }
  try {
    await rm(dir, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited <= ms; waited += LOOK_EVERY_MS) {
    if (await holds()) return true
    await sleep(LOOK_EVERY_MS)
  }
  return false
}

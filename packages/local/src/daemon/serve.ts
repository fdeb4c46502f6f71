import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCluster } from '../cluster.ts'
import { LocalError } from '../error.ts'
import type { ClusterOptions, Listening, LocalCluster } from '../local-cluster.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { acquireLock } from './lock.ts'
import { contextName, type ServerFiles, type ServerPlace, serverFiles } from './server-files.ts'
import type { RunningServer, ServerState } from './status.ts'

/** How to serve a background cluster. */
export interface ServeOptions extends ServerPlace {
  /** That of the last time, else a free one, when left out or 0. */
  readonly port?: number
  /** Folder that containers see at `/workspace`. */
  readonly workspace?: string
  /** How containers run; as processes of this machine when left out. */
  readonly runner?: NonNullable<ClusterOptions['runner']>
  /** Memory limits end containers. */
  readonly enforceLimits?: boolean
  /** Folders besides `workspace` that hostPath volumes may name. */
  readonly hostPaths?: readonly string[]
  /** Called when clients can connect. */
  readonly onReady?: (server: RunningServer) => void
}

/** Another server may be looking at the lock right now. */
const LOCK_WAIT_MS = 1000

/**
 * Runs a cluster that listens, in this process, until the signal aborts; then stops it, so that nothing is left but its
 * data. Throws `LocalError`: `already-running`, `start-failed`, `listen-failed`.
 */
export async function serve(options: ServeOptions, signal: AbortSignal): Promise<void> {
  const files = serverFiles(options)
  await mkdir(files.dir, { recursive: true, mode: 0o700 })
  const lock = await acquireLock(files.lock, LOCK_WAIT_MS)
  if (lock === undefined) {
    throw new LocalError(
      'already-running',
      `A server uses ${files.dir} already: stop it first, or choose another name for this one.`,
    )
  }
  try {
    const store = await openSqliteStore(files.store)
    await removeLeftovers(files.run, store)
    const cluster = await startCluster({
      dir: files.run,
      store,
      signal,
      ...(options.workspace !== undefined && { workspace: options.workspace }),
      ...(options.runner !== undefined && { runner: options.runner }),
      ...(options.enforceLimits !== undefined && { enforceLimits: options.enforceLimits }),
      ...(options.hostPaths !== undefined && { hostPaths: options.hostPaths }),
    })
    try {
      const listening = await listen(cluster, files, options.port ?? 0)
      const state = await announce(files, listening)
      options.onReady?.({ ...state, state: 'running', name: files.name, kubeconfig: files.kubeconfig, log: files.log })
      await aborted(signal)
    } finally {
      await cluster.stop()
      await rm(files.state, { force: true })
    }
  } finally {
    lock.release()
  }
}

/** What outlives a server: volumes of claims, and the logs and volumes of its pods. */
const KEPT = ['claims', 'pods'] as const

/** Removes files of a server that is gone, and of pods that are. */
async function removeLeftovers(run: string, store: Store): Promise<void> {
  const pods = new Set(store.list('pods').items.map(({ metadata }) => metadata.uid))
  const [names, folders] = await Promise.all([run, join(run, 'pods')].map((dir) => readdir(dir).catch(() => [])))
  const left = [
    ...(names ?? []).filter((name) => !(KEPT as readonly string[]).includes(name)),
    ...(folders ?? []).filter((uid) => !pods.has(uid)).map((uid) => join('pods', uid)),
  ]
  await Promise.all(left.map((name) => rm(join(run, name), { recursive: true, force: true })))
}

/** On the port of the last time if nobody else took it, so that clients find the server again. */
async function listen(
  cluster: LocalCluster,
  { dir, kubeconfig, socket }: ServerFiles,
  port: number,
): Promise<Listening> {
  const options = { credentialsDir: dir, socket }
  if (port !== 0) return cluster.listen({ ...options, port })
  const last = await lastPort(kubeconfig)
  if (last !== undefined) {
    try {
      return await cluster.listen({ ...options, port: last })
    } catch (error) {
      if (!(error instanceof LocalError)) throw error
    }
  }
  return cluster.listen(options)
}

async function lastPort(kubeconfig: string): Promise<number | undefined> {
  const text = await readFile(kubeconfig, 'utf8').catch(() => '')
  const port = /"server": "https:\/\/[^\s"]+:(\d+)"/.exec(text)?.[1]
  return port === undefined ? undefined : Number(port)
}

/** Writes where the server is; the state last, because it says that all the rest is there. */
async function announce({ name, kubeconfig, state }: ServerFiles, listening: Listening): Promise<ServerState> {
  const context = contextName(name)
  await writePrivately(kubeconfig, listening.kubeconfig({ name: context }))
  const written = { pid: process.pid, url: listening.url, startedAt: new Date().toISOString(), context }
  await writePrivately(state, JSON.stringify(written))
  return written
}

async function writePrivately(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

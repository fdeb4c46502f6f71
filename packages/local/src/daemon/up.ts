import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { LOCAL_ERROR_CODES, LocalError } from '../error.ts'
import type { ServeOptions } from './serve.ts'
import { type ServerMessage, serveArguments } from './serve-process.ts'
import { serverFiles } from './server-files.ts'
import { type RunningServer, status } from './status.ts'

/** How to start a background cluster. */
export interface UpOptions extends Omit<ServeOptions, 'onReady'> {
  /**
   * Program and first arguments of the server process; it must hand the arguments behind them to `serveProcess`. The
   * package's own when left out.
   */
  readonly command?: readonly [string, ...string[]]
  readonly signal?: AbortSignal
}

/** A server that runs, and whether it was this call that started it. */
export interface UpResult extends RunningServer {
  readonly started: boolean
}

const READY_WITHIN_MS = 30_000

/**
 * Room for new objects of 16 MB instead of 64: what 10,000 objects take is then half as much, because a server that is
 * full of them does not keep the rest for the next ones, and a create costs the same.
 */
const NODE_FLAGS = ['--max-semi-space-size=16'] as const

/**
 * Starts a cluster in a process of its own that outlives this one. Resolves when clients can connect; a server that
 * runs already is left as it is. Throws `LocalError` with what the server said.
 *
 * @example
 * const { url, started } = await up({ dataDir: folder, name: 'mine' })
 * url.startsWith('https://127.0.0.1:') // => true
 * started // => true
 * await down({ dataDir: folder, name: 'mine' }) // => true
 */
export async function up(options: UpOptions = {}): Promise<UpResult> {
  options.signal?.throwIfAborted()
  const running = await status(options)
  if (running.state === 'running') return { ...running, started: false }
  const files = serverFiles(options)
  await mkdir(files.dir, { recursive: true, mode: 0o700 })
  const [program, ...first] = options.command ?? [process.execPath, ownProgram()]
  const log = await open(files.log, 'w', 0o600)
  try {
    const flags = program === process.execPath ? NODE_FLAGS : []
    const child = spawn(program, [...flags, ...first, ...serveArguments(options)], {
      detached: true,
      cwd: files.dir,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    })
    const server = await untilReady(child, files.log, options.signal)
    return { ...server, started: true }
  } catch (error) {
    // somebody else was faster
    const now = error instanceof LocalError && error.code === 'already-running' ? await status(options) : undefined
    if (now?.state === 'running') return { ...now, started: false }
    throw error
  } finally {
    await log.close()
  }
}

/** By the package's own name: the file has another name where the package is built. */
function ownProgram(): string {
  return createRequire(import.meta.url).resolve('@trainjob/local/daemon/main')
}

async function untilReady(child: ChildProcess, log: string, signal: AbortSignal | undefined): Promise<RunningServer> {
  let timer: NodeJS.Timeout | undefined
  const abort = () => child.kill('SIGTERM')
  try {
    return await new Promise<RunningServer>((resolve, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(
          new LocalError('start-failed', `The server was not ready after ${READY_WITHIN_MS / 1000} s; see ${log}.`),
        )
      }, READY_WITHIN_MS)
      signal?.addEventListener('abort', abort, { once: true })
      child.once('error', (cause) => {
        reject(new LocalError('start-failed', `The server process did not start: ${cause.message}`, { cause }))
      })
      child.on('message', (message: ServerMessage) => {
        if (message.type === 'ready') resolve(message.server)
        else reject(new LocalError(codeOf(message.code), message.message))
      })
      child.once('exit', (code, how) => {
        if (signal?.aborted === true) reject(signal.reason)
        else void endedEarly(code ?? how, log).then(reject)
      })
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    child.removeAllListeners()
    child.on('error', () => {})
    if (child.connected) child.disconnect()
    child.unref()
  }
}

async function endedEarly(how: number | string | null, log: string): Promise<LocalError> {
  const said = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
  return new LocalError(
    'start-failed',
    `The server process ended (${how}) before it was ready. It said: ${said || 'nothing'}`,
  )
}

function codeOf(code: string): (typeof LOCAL_ERROR_CODES)[number] {
  return LOCAL_ERROR_CODES.find((known) => known === code) ?? 'start-failed'
}

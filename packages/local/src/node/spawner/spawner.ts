import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { type ChildOutput, exitOf } from '../process/child-output.ts'
import type { ContainerSpec, OutputStream } from '../runner.ts'
import { readFrames } from './read-frames.ts'
import { SPAWNER_SCRIPT } from './spawner-script.ts'

/**
 * Starts processes out of a small process, because the system copies the page table of the one that starts: out of an
 * engine with a few thousand objects that is ten times the cost of the process itself, and the engine stands still.
 */
export interface Spawner {
  /** Starts it now. Whether it runs: where there is no Node to run it, there is none. */
  prepare(): Promise<boolean>
  /** `undefined` when there is no spawner, or not yet: start it in this process then. */
  start(command: SpawnCommand, onOutput: ContainerSpec['onOutput']): SpawnedProcess | undefined
  /** Ends the spawner, and what it started with it. */
  close(): void
}

/** A program in a session of its own, without standard input. */
export interface SpawnCommand {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface SpawnedProcess extends ChildOutput {
  /** Its id, or why it could not be started. Never rejects. */
  readonly started: Promise<number | NodeJS.ErrnoException>
}

/** What is told of a process. */
interface Listener {
  started(pid: number): void
  failed(error: NodeJS.ErrnoException): void
  output(stream: OutputStream, chunk: Buffer): void
  ended(exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null }): void
  closed(): void
}

interface Helper {
  readonly channel: Socket
  ready: boolean
  readonly settled: PromiseWithResolvers<boolean>
}

/** So many processes an engine starts by itself: the spawner costs as much as some dozens. */
const BY_ITSELF = 8

export function createSpawner(): Spawner {
  const listeners = new Map<number, Listener>()
  let asked = 0
  let helper: Helper | undefined
  let useless = false

  function begin(): Helper {
    const child = spawn(process.execPath, ['--input-type=commonjs', '--eval', SPAWNER_SCRIPT], {
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      // it does not carry the engine's mark: it ends with the channel
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    })
    const channel = child.stdio[3] as Socket
    const own: Helper = { channel, ready: false, settled: Promise.withResolvers() }
    child.on('error', () => {})
    channel.on('error', () => {})
    channel.on(
      'data',
      readFrames((kind, id, bytes) => told(own, kind, id, bytes)),
    )
    channel.once('close', () => lost(own))
    child.unref()
    channel.unref()
    return own
  }

  function told(own: Helper, kind: string, id: number, bytes: Buffer): void {
    if (kind === 'r') {
      own.ready = true
      own.settled.resolve(true)
    }
    const listener = listeners.get(id)
    if (listener === undefined) return
    switch (kind) {
      case 's':
        listener.started(Number(bytes.toString()))
        break
      case 'f': {
        const { code, message } = JSON.parse(bytes.toString()) as { code?: string; message: string }
        listeners.delete(id)
        listener.failed(Object.assign(new Error(message), code !== undefined && { code }))
        break
      }
      case 'o':
        listener.output('stdout', bytes)
        break
      case 'e':
        listener.output('stderr', bytes)
        break
      case 'x':
        listener.ended(JSON.parse(bytes.toString()))
        break
      case 'c':
        listeners.delete(id)
        listener.closed()
    }
  }

  /** Somebody killed it: what it started has ended with it. */
  function lost(own: Helper): void {
    if (!own.ready) useless = true
    own.settled.resolve(false)
    helper = undefined
    for (const listener of listeners.values()) {
      listener.failed(new Error('the process that starts processes was killed'))
      listener.ended({ code: null, signal: 'SIGKILL' })
      listener.closed()
    }
    listeners.clear()
  }

  return {
    async prepare() {
      if (useless) return false
      helper ??= begin()
      return helper.settled.promise
    },
    start(command, onOutput) {
      if (useless) return undefined
      asked++
      if (helper === undefined && asked < BY_ITSELF) return undefined
      helper ??= begin()
      if (!helper.ready) return undefined
      const { channel } = helper
      const id = asked
      const started = Promise.withResolvers<number | NodeJS.ErrnoException>()
      const ended = Promise.withResolvers<ReturnType<typeof exitOf>>()
      const closed = Promise.withResolvers<void>()
      listeners.set(id, {
        started: started.resolve,
        failed: started.resolve,
        output: onOutput,
        ended: ({ code, signal }) => ended.resolve(exitOf(code, signal)),
        closed: closed.resolve,
      })
      channel.write(`${JSON.stringify({ id, ...command })}\n`)
      return { started: started.promise, ended: ended.promise, drain: () => closed.promise }
    },
    close() {
      useless = true
      helper?.channel.destroy()
    },
  }
}

import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { ContainerExit, OutputStream } from '../runner.ts'

/** How long output is waited for after the process ended, while somebody else holds its pipes. */
export const DRAIN_MS: number = 250

/** Hands over what a child prints. */
export interface ChildOutput {
  /** When the process is gone. Its output may not be complete yet. */
  readonly ended: Promise<Pick<ContainerExit, 'code' | 'signal'>>
  /** Call it after `ended`: waits for the end of the output or, while somebody else holds the pipes, until nothing more comes. */
  drain(): Promise<void>
}

/** Listens to a child that has just been spawned. */
export function readChild(
  child: ChildProcess,
  onOutput: (stream: OutputStream, chunk: Buffer) => void | Promise<void>,
): ChildOutput {
  let chunks = 0
  /** Chunks that somebody still works on. */
  let open = 0
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      chunks++
      const working = onOutput(stream, chunk)
      // a callee may return anything where nothing is asked for
      if (!(working instanceof Promise)) return
      open++
      child[stream]?.pause()
      void working.finally(() => {
        open--
        child[stream]?.resume()
      })
    })
  }
  const outputEnded = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = new Promise<Pick<ContainerExit, 'code' | 'signal'>>((resolve) =>
    child.once('exit', (code, name) => resolve(exitOf(code, name))),
  )
  return {
    ended,
    async drain() {
      let over = false
      void outputEnded.then(() => {
        over = true
      })
      for (let before = -1; !over && (before !== chunks || open > 0); ) {
        before = chunks
        const waiting = new AbortController()
        await Promise.race([outputEnded, setTimeout(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => {})])
        waiting.abort()
        // After a stall the timer is due before what lies in the pipes was read.
        await setImmediate()
      }
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
  }
}

/** From what Node says of the end of a process. */
export function exitOf(code: number | null, name: NodeJS.Signals | null): Pick<ContainerExit, 'code' | 'signal'> {
  if (code !== null) return { code }
  const signal = constants.signals[name as NodeJS.Signals] ?? 0
  return { code: 128 + signal, signal }
}

import type { Clock } from '@trainjob/kube'
import type { ContainerExit, ContainerSpec, RunningContainer } from '../runner.ts'
import type { FetchTask } from './fetch.ts'

const KILLED = 137
const TERMINATED = 143

/**
 * Runs a fetch as if it were a container: what it says is the container's output, its end the container's exit. It
 * waits for the network nearly all the time, so it needs no process of its own.
 */
export function startFetch(task: FetchTask, clock: Clock, onOutput: ContainerSpec['onOutput']): RunningContainer {
  const stopping = new AbortController()
  let code = TERMINATED
  const print = (line: string): void => onOutput('stdout', Buffer.from(`${line}\n`))
  const run = async (): Promise<ContainerExit> => {
    try {
      const { fetchAll } = await import('./fetch.ts')
      await fetchAll(task, { clock, signal: stopping.signal, print })
      return { code: 0 }
    } catch (error) {
      if (stopping.signal.aborted) return { code }
      onOutput('stderr', Buffer.from(`error: ${(error as Error).message}\n`))
      return { code: 1 }
    }
  }
  const stop = (how: number): void => {
    code = how
    stopping.abort()
  }
  return {
    started: Promise.resolve(true),
    exit: run(),
    atTerminal: false,
    resize() {},
    exec: async () => ({ code: 126, startFailure: 'the built-in fetcher is no process that commands could run in' }),
    input() {},
    terminate: () => stop(TERMINATED),
    kill: () => stop(KILLED),
  }
}

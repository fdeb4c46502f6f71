import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type NamespaceCommand, namespaceCommand } from '../mounts/mount-namespace.ts'
import type { Reaper } from '../reaper/reaper.ts'
import type { ContainerExit, ContainerSpec, Runner, RunningContainer } from '../runner.ts'
import { CONTAINER_MARK, ENGINE_MARK, markedProcesses } from './marked-processes.ts'
import { missingProgram, startFailure } from './start-failure.ts'

export interface ProcessRunnerOptions {
  /** Unique per engine; marks every process. */
  readonly engineId: string
  readonly reaper: Reaper
  /** Where mounts are prepared. */
  readonly dir: string
}

// Processes die in their own time, so these are times of the system and not of a clock that tests may stop.
/** How long output is waited for after the first process ended, while somebody else holds its pipes. */
const DRAIN_MS = 250
/** Processes that outlived their container by themselves are looked for this late, all containers at once. */
const SWEEP_MS = 500
/** How long, and how often, killed processes are waited for. One that hangs in the kernel cannot be. */
const DYING_MS = 2_000
const DYING_STEP_MS = 2
/** A process may fork while it is looked for. */
const SWEEP_ROUNDS = 20

/** Runs containers as processes of this machine, each in a session and process group of its own. */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const { engineId, reaper } = options
  const live = new Map<string, RunningContainer>()
  const stragglers = new Set<string>()
  const closed = new AbortController()
  let namespaces = 0

  function sweepLater(id: string): void {
    stragglers.add(id)
    if (stragglers.size > 1) return
    setTimeout(SWEEP_MS, undefined, { ref: false, signal: closed.signal }).then(
      () => {
        killMarked(CONTAINER_MARK, stragglers)
        stragglers.clear()
      },
      // closing looks for everything that is left
      () => {},
    )
  }

  /** Kills what is left, and waits until it is gone: a killed process takes a moment to die. */
  async function killAll(variable: string, value: string): Promise<void> {
    const values = new Set([value])
    for (let waited = 0; killMarked(variable, values) && waited < DYING_MS; waited += DYING_STEP_MS) {
      await setTimeout(DYING_STEP_MS)
    }
  }

  function start(spec: ContainerSpec): RunningContainer {
    let child: ChildProcess
    let command: Partial<NamespaceCommand> & Pick<NamespaceCommand, 'argv'> = spec
    try {
      if (spec.mounts.length > 0) {
        const missing = missingProgram(spec, spec.mounts)
        if (missing !== undefined) return failed(missing)
        const scratch = join(options.dir, `ns-${namespaces++}`)
        command = namespaceCommand(spec.argv, spec.mounts, spec.cwd, spec.env.PATH ?? '', scratch)
      }
      const [program, ...args] = command.argv
      reaper.prepare()
      child = spawn(program, args, {
        cwd: command.remove === undefined ? spec.cwd : '/',
        env: { ...spec.env, ...command.extraEnv, [ENGINE_MARK]: engineId, [CONTAINER_MARK]: spec.id },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    } catch (error) {
      // arguments or env that no process can have, or no file descriptor left
      return failed({ code: 126, startFailure: `${spec.argv[0]} could not be started: ${(error as Error).message}` })
    }
    const { pid } = child
    if (pid === undefined) {
      return failed(new Promise((resolve) => child.once('error', (error) => resolve(startFailure(spec, error)))))
    }
    reaper.add(pid)
    child.on('error', () => {})
    let chunks = 0
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Buffer) => {
        chunks++
        spec.onOutput(stream, chunk)
      })
    }

    let ended = false
    let asked = false
    const exit = (async (): Promise<ContainerExit> => {
      const outputEnded = new Promise<void>((resolve) => child.once('close', () => resolve()))
      const [code, signalName] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
        child.once('exit', (...how) => resolve(how)),
      )
      ended = true
      // The container ends with its first process, as in a cluster.
      signal(-pid, 'SIGKILL')
      if (asked) await killAll(CONTAINER_MARK, spec.id)
      else sweepLater(spec.id)
      await drain(outputEnded, () => chunks)
      child.stdout?.destroy()
      child.stderr?.destroy()
      reaper.remove(pid)
      await command.remove?.()
      live.delete(spec.id)
      return { code: code ?? 128 + (constants.signals[signalName as NodeJS.Signals] ?? 0) }
    })()
    const container: RunningContainer = {
      pid,
      exit,
      terminate() {
        asked = true
        if (!ended) signal(-pid, 'SIGTERM')
      },
      kill() {
        asked = true
        if (ended) return
        signal(-pid, 'SIGKILL')
        killMarked(CONTAINER_MARK, new Set([spec.id]))
      },
    }
    live.set(spec.id, container)
    return container
  }

  return {
    start,
    async close() {
      closed.abort()
      const left = [...live.values()]
      for (const container of left) container.kill()
      await Promise.all(left.map((container) => container.exit))
      await killAll(ENGINE_MARK, engineId)
      reaper.dismiss()
    },
  }
}

/** Waits for the end of the output, or, while somebody else holds the pipes, until nothing more comes. */
async function drain(ended: Promise<void>, chunks: () => number): Promise<void> {
  let over = false
  void ended.then(() => {
    over = true
  })
  for (let before = -1; !over && before !== chunks(); ) {
    before = chunks()
    const waiting = new AbortController()
    await Promise.race([ended, setTimeout(DRAIN_MS, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
    // After a stall the timer is due before what lies in the pipes was read.
    await setImmediate()
  }
}

function failed(exit: ContainerExit | Promise<ContainerExit>): RunningContainer {
  return { exit: Promise.resolve(exit), terminate() {}, kill() {} }
}

/** Looks again until no new process is found: one may fork while it is looked for. Says whether there was any. */
function killMarked(variable: string, values: ReadonlySet<string>): boolean {
  const killed = new Set<number>()
  for (let found = true, round = 0; found && round < SWEEP_ROUNDS; round++) {
    found = false
    for (const pid of markedProcesses(variable, values)) {
      if (killed.has(pid)) continue
      killed.add(pid)
      found = true
      signal(pid, 'SIGKILL')
    }
  }
  return killed.size > 0
}

/** Negative ids are groups. A process that is gone needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM')
      throw error
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { MemoryGroup, MemoryGroups } from '../limits/memory-groups.ts'
import { type NamespaceCommand, namespaceCommand } from '../mounts/mount-namespace.ts'
import type { Reaper } from '../reaper/reaper.ts'
import type { ContainerExit, ContainerSpec, ExecSpec, Runner, RunningContainer } from '../runner.ts'
import { followSize } from '../terminal/follow-size.ts'
import { withLines } from '../terminal/line-terminal.ts'
import type { TerminalHost } from '../terminal/terminal-host.ts'
import { readChild } from './child-output.ts'
import { endMarked, killMarked, signalProcess } from './end-processes.ts'
import { feedInput } from './feed-input.ts'
import { CONTAINER_MARK, ENGINE_MARK } from './marked-processes.ts'
import { missingProgram, startFailure } from './start-failure.ts'

export interface ProcessRunnerOptions {
  /** Unique per engine; marks every process. */
  readonly engineId: string
  readonly reaper: Reaper
  /** Where mounts are prepared. */
  readonly dir: string
  /** Makes terminals; programs that want one get pipes when there is none. Asked when a program wants one. */
  readonly terminals?: (() => TerminalHost | undefined) | undefined
  /** Enforces memory limits; they are not enforced when left out. Asked when a container has one. */
  readonly memoryGroups?: (() => MemoryGroups) | undefined
}

/** Processes that outlived their container by themselves are looked for this late, all containers at once. */
const SWEEP_MS = 500

/** A process that was started, or how its start failed. */
interface Launch {
  readonly child?: ChildProcess
  readonly failure?: Promise<ContainerExit>
  /** Removes what was prepared for it. */
  readonly remove: () => Promise<void>
}

/** What a program is started in besides its container's own. */
interface Surroundings {
  readonly group: MemoryGroup | undefined
  readonly terminal: TerminalHost | undefined
}

/** What terminals are taken for, as container engines do. */
const TERM = { TERM: 'xterm' }

/** Runs containers as processes of this machine, each in a session and process group of its own. */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const { engineId, reaper } = options
  const live = new Map<string, RunningContainer>()
  const stragglers = new Set<string>()
  const closed = new AbortController()
  let namespaces = 0
  let groups = 0

  /** Two engines may have containers of one id: uids of pods are unique in one cluster only. */
  const markOf = (id: string): string => `${engineId}/${id}`

  function sweepLater(mark: string): void {
    stragglers.add(mark)
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

  function launch(
    spec: ContainerSpec,
    argv: readonly string[],
    stdin: boolean,
    { group, terminal }: Surroundings,
  ): Launch {
    let command: Partial<Omit<NamespaceCommand, 'argv'>> & { readonly argv: readonly string[] } = { argv }
    const remove = async (): Promise<void> => await command.remove?.()
    const { cwd = '/' } = spec
    try {
      if (spec.mounts.length > 0 || group !== undefined || terminal !== undefined) {
        const missing = missingProgram({ ...spec, argv }, spec.mounts)
        if (missing !== undefined) return { failure: Promise.resolve(missing), remove }
      }
      if (spec.mounts.length > 0) {
        const scratch = join(options.dir, `ns-${namespaces++}`)
        command = namespaceCommand(argv, spec.mounts, cwd, spec.env.PATH ?? '', scratch)
      }
      const inGroup = group?.wrap(command.argv) ?? command.argv
      const [program, ...args] = (terminal?.wrap(inGroup, stdin) ?? inGroup) as [string, ...string[]]
      reaper.prepare()
      const child = spawn(program, args, {
        cwd: command.remove === undefined ? cwd : '/',
        env: {
          ...(terminal && TERM),
          ...spec.env,
          ...command.extraEnv,
          [ENGINE_MARK]: engineId,
          [CONTAINER_MARK]: markOf(spec.id),
        },
        detached: true,
        stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(terminal === undefined ? [] : ['pipe' as const])],
      })
      if (child.pid !== undefined) {
        child.on('error', () => {})
        reaper.add(child.pid)
        return { child, remove }
      }
      const why = new Promise<ContainerExit>((resolve) =>
        child.once('error', (error) => resolve(startFailure({ ...spec, argv }, error))),
      )
      return { failure: why, remove }
    } catch (error) {
      // arguments or env that no process can have, or no file descriptor left
      const text = `${argv[0]} could not be started: ${(error as Error).message}`
      return { failure: Promise.resolve({ code: 126, startFailure: text }), remove }
    }
  }

  function start(spec: ContainerSpec): RunningContainer {
    const { memoryLimitBytes } = spec
    let group: MemoryGroup | undefined
    try {
      if (memoryLimitBytes !== undefined) {
        group = options.memoryGroups?.().create(String(groups++), memoryLimitBytes)
      }
    } catch (error) {
      const text = `the memory limit of ${memoryLimitBytes} bytes cannot be set: ${(error as Error).message}`
      return failed(Promise.resolve({ code: 126, startFailure: text }))
    }
    const terminal = spec.tty === true ? options.terminals?.() : undefined
    const { child, failure, remove } = launch(spec, spec.argv, spec.stdin === true, { group, terminal })
    const pid = child?.pid
    if (child === undefined || pid === undefined) {
      return failed(
        (failure as Promise<ContainerExit>).finally(async () => {
          group?.remove()
          await remove()
        }),
      )
    }
    const output = readChild(child, spec.onOutput)
    child.stdin?.on('error', () => {})
    const ending = new AbortController()
    let ended = false
    let asked = false
    const exit = (async (): Promise<ContainerExit> => {
      const how = await output.ended
      ended = true
      // The container ends with its first process, as in a cluster.
      signalProcess(-pid, 'SIGKILL')
      ending.abort()
      // a group can be removed only when it is empty
      if (asked || group !== undefined) await endMarked(CONTAINER_MARK, markOf(spec.id))
      else sweepLater(markOf(spec.id))
      await output.drain()
      reaper.remove(pid)
      const oomKilled = how.code !== 0 && group?.oomKilled() === true
      group?.remove()
      await remove()
      live.delete(spec.id)
      return { ...how, ...(oomKilled && { oomKilled }) }
    })()
    const container: RunningContainer = {
      pid,
      started: Promise.resolve(true),
      exit,
      exec: (command) => exec(spec, command, ending.signal, group),
      input(chunk) {
        if (chunk === undefined) child.stdin?.end()
        else child.stdin?.write(chunk)
      },
      atTerminal: terminal !== undefined,
      resize: (size) => terminal?.resize(child, size),
      terminate() {
        asked = true
        if (!ended) signalProcess(-pid, 'SIGTERM')
      },
      kill() {
        asked = true
        if (ended) return
        signalProcess(-pid, 'SIGKILL')
        killMarked(CONTAINER_MARK, new Set([markOf(spec.id)]))
      },
    }
    live.set(spec.id, container)
    return container
  }

  async function exec(
    spec: ContainerSpec,
    command: ExecSpec,
    ending: AbortSignal,
    group: MemoryGroup | undefined,
  ): Promise<ContainerExit> {
    const signal = AbortSignal.any([command.signal, ending])
    if (signal.aborted) return { code: 137, startFailure: 'the container has ended' }
    const terminal = command.terminal === undefined ? undefined : options.terminals?.()
    if (command.terminal !== undefined && terminal === undefined) {
      return withLines(command, (plain) => exec(spec, plain, ending, group))
    }
    const { child, failure, remove } = launch(spec, command.argv, command.stdin !== undefined, { group, terminal })
    const pid = child?.pid
    if (child === undefined || pid === undefined) {
      return (failure as Promise<ContainerExit>).finally(remove)
    }
    const kill = (): void => signalProcess(-pid, 'SIGKILL')
    signal.addEventListener('abort', kill, { once: true })
    const output = readChild(child, command.onOutput)
    const over = new AbortController()
    if (command.stdin !== undefined && child.stdin !== null) void feedInput(child.stdin, command.stdin, over.signal)
    if (terminal !== undefined && command.terminal !== undefined) void followSize(child, terminal, command.terminal)
    const how = await output.ended
    over.abort()
    signal.removeEventListener('abort', kill)
    await output.drain()
    reaper.remove(pid)
    await remove()
    return how
  }

  return {
    start,
    async close() {
      closed.abort()
      const left = [...live.values()]
      for (const container of left) container.kill()
      await Promise.all(left.map((container) => container.exit))
      await endMarked(ENGINE_MARK, engineId)
      reaper.dismiss()
    },
  }
}

function failed(exit: Promise<ContainerExit>): RunningContainer {
  const nothing = async (): Promise<ContainerExit> => ({ code: 126, startFailure: 'the container did not start' })
  return {
    started: Promise.resolve(false),
    exit,
    exec: nothing,
    input() {},
    atTerminal: false,
    resize() {},
    terminate() {},
    kill() {},
  }
}

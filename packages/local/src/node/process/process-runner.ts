import { setTimeout } from 'node:timers/promises'
import type { LimitGroup, LimitGroups, Limits } from '../limits/limit-groups.ts'
import type { Reaper } from '../reaper/reaper.ts'
import type { ContainerExit, ContainerSpec, ExecSpec, Runner, RunningContainer } from '../runner.ts'
import { createSpawner, type Spawner } from '../spawner/spawner.ts'
import { followSize } from '../terminal/follow-size.ts'
import { withLines } from '../terminal/line-terminal.ts'
import type { TerminalHost } from '../terminal/terminal-host.ts'
import { readChild } from './child-output.ts'
import { endMarked, killMarked, signalProcess } from './end-processes.ts'
import { feedInput } from './feed-input.ts'
import { createLauncher } from './launch.ts'
import { CONTAINER_MARK, ENGINE_MARK } from './marked-processes.ts'
import { startFailure } from './start-failure.ts'

export interface ProcessRunnerOptions {
  /** Unique per engine; marks every process. */
  readonly engineId: string
  readonly reaper: Reaper
  /** Where mounts are prepared. */
  readonly dir: string
  /** Makes terminals; programs that want one get pipes when there is none. Asked when a program wants one. */
  readonly terminals?: (() => TerminalHost | undefined) | undefined
  /** Enforces limits; they are not enforced when left out. Asked when a container has one. */
  readonly limitGroups?: ((limits: Limits) => LimitGroups) | undefined
  /** One of its own when left out, which it uses when there is much to start. */
  readonly spawner?: Spawner | undefined
}

/** Processes that outlived their container by themselves are looked for this late, all containers at once. */
const SWEEP_MS = 500

/** Runs containers as processes of this machine, each in a session and process group of its own. */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const { engineId, reaper } = options
  const live = new Map<string, RunningContainer>()
  const stragglers = new Set<string>()
  const closed = new AbortController()
  const spawner = options.spawner ?? createSpawner()
  /** Two engines may have containers of one id: uids of pods are unique in one cluster only. */
  const markOf = (id: string): string => `${engineId}/${id}`
  const launch = createLauncher({ ...options, markOf })
  let groups = 0

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

  function start(spec: ContainerSpec): RunningContainer {
    const { limits } = spec
    let group: LimitGroup | undefined
    try {
      if (limits !== undefined) group = options.limitGroups?.(limits).create(String(groups++), limits)
    } catch (error) {
      const text = `the limits ${JSON.stringify(limits)} cannot be set: ${(error as Error).message}`
      return failed(Promise.resolve({ code: 126, startFailure: text }))
    }
    const terminal = spec.tty === true ? options.terminals?.() : undefined
    const stdin = spec.stdin === true
    const { child, spawned, failure, remove } = launch(spec, spec.argv, { stdin, group, terminal, spawner })
    const output = spawned ?? (child && readChild(child, spec.onOutput))
    if (output === undefined) {
      return failed(
        (failure as Promise<ContainerExit>).finally(async () => {
          group?.remove()
          await remove()
        }),
      )
    }
    child?.stdin?.on('error', () => {})
    const ending = new AbortController()
    let pid = child?.pid
    let ended = false
    let asked: 'SIGTERM' | 'SIGKILL' | undefined
    const exit = (async (): Promise<ContainerExit> => {
      const begun = await spawned?.started
      if (typeof begun === 'object') {
        ended = true
        group?.remove()
        await remove()
        live.delete(spec.id)
        return startFailure(spec, begun)
      }
      if (begun !== undefined) {
        pid = begun
        if (asked !== undefined) signalProcess(-pid, asked)
      }
      const how = await output.ended
      ended = true
      // The container ends with its first process, as in a cluster. The spawner sees to that by itself.
      if (child !== undefined) signalProcess(-child.pid, 'SIGKILL')
      ending.abort()
      // a group can be removed only when it is empty
      if (asked !== undefined || group !== undefined) await endMarked(CONTAINER_MARK, markOf(spec.id))
      else sweepLater(markOf(spec.id))
      await output.drain()
      if (child !== undefined) reaper.remove(child.pid)
      const oomKilled = how.code !== 0 && group?.oomKilled() === true
      group?.remove()
      await remove()
      live.delete(spec.id)
      return { ...how, ...(oomKilled && { oomKilled }) }
    })()
    function ask(name: 'SIGTERM' | 'SIGKILL'): void {
      asked = name
      if (!ended && pid !== undefined) signalProcess(-pid, name)
    }
    const container: RunningContainer = {
      ...(pid !== undefined && { pid }),
      started: spawned === undefined ? Promise.resolve(true) : spawned.started.then((how) => typeof how === 'number'),
      exit,
      exec: (command) => exec(spec, command, ending.signal, group),
      input(chunk) {
        if (chunk === undefined) child?.stdin?.end()
        else child?.stdin?.write(chunk)
      },
      atTerminal: terminal !== undefined,
      resize(size) {
        if (child !== undefined) terminal?.resize(child, size)
      },
      terminate() {
        // one that was killed before it began stays killed
        ask(asked ?? 'SIGTERM')
      },
      kill() {
        ask('SIGKILL')
        if (!ended) killMarked(CONTAINER_MARK, new Set([markOf(spec.id)]))
      },
    }
    live.set(spec.id, container)
    return container
  }

  async function exec(
    spec: ContainerSpec,
    command: ExecSpec,
    ending: AbortSignal,
    group: LimitGroup | undefined,
  ): Promise<ContainerExit> {
    const signal = AbortSignal.any([command.signal, ending])
    if (signal.aborted) return { code: 137, startFailure: 'the container has ended' }
    const terminal = command.terminal === undefined ? undefined : options.terminals?.()
    if (command.terminal !== undefined && terminal === undefined) {
      return withLines(command, (plain) => exec(spec, plain, ending, group))
    }
    const { child, failure, remove } = launch(spec, command.argv, {
      stdin: command.stdin !== undefined,
      group,
      terminal,
    })
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
      spawner.close()
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

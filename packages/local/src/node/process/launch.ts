import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { LimitGroup } from '../limits/limit-groups.ts'
import { type NamespaceCommand, namespaceCommand } from '../mounts/mount-namespace.ts'
import type { Reaper } from '../reaper/reaper.ts'
import type { ContainerExit, ContainerSpec } from '../runner.ts'
import type { SpawnedProcess, Spawner } from '../spawner/spawner.ts'
import type { TerminalHost } from '../terminal/terminal-host.ts'
import { CONTAINER_MARK, ENGINE_MARK } from './marked-processes.ts'
import { missingProgram, startFailure } from './start-failure.ts'

/** A process that was started, or how its start failed. */
export interface Launch {
  readonly child?: ChildProcess & { readonly pid: number }
  readonly failure?: Promise<ContainerExit>
  /** The spawner is starting it. */
  readonly spawned?: SpawnedProcess
  /** Removes what was prepared for it. */
  readonly remove: () => Promise<void>
}

/** What a program is started in besides its container's own. */
export interface Surroundings {
  readonly stdin: boolean
  readonly group: LimitGroup | undefined
  readonly terminal: TerminalHost | undefined
  /** It may start it, when there is no input and no terminal to connect. */
  readonly spawner?: Spawner
}

export interface LaunchOptions {
  /** Marks every process. */
  readonly engineId: string
  /** The mark of the container of an id. */
  readonly markOf: (id: string) => string
  readonly reaper: Reaper
  /** Where mounts are prepared. */
  readonly dir: string
}

/** What terminals are taken for, as container engines do. */
const TERM = { TERM: 'xterm' }

/** Starts programs in the surroundings of a container. */
export function createLauncher({
  engineId,
  markOf,
  reaper,
  dir,
}: LaunchOptions): (spec: ContainerSpec, argv: readonly string[], surroundings: Surroundings) => Launch {
  let namespaces = 0

  return (spec, argv, surroundings) => {
    const { stdin, group, terminal, spawner } = surroundings
    let command: Partial<Omit<NamespaceCommand, 'argv'>> & { readonly argv: readonly string[] } = { argv }
    const remove = async (): Promise<void> => await command.remove?.()
    const { cwd = '/' } = spec
    try {
      if (spec.mounts.length > 0 || group !== undefined || terminal !== undefined) {
        const missing = missingProgram({ ...spec, argv }, spec.mounts)
        if (missing !== undefined) return { failure: Promise.resolve(missing), remove }
      }
      if (spec.mounts.length > 0) {
        const scratch = join(dir, `ns-${namespaces++}`)
        command = namespaceCommand(argv, spec.mounts, cwd, spec.env.PATH ?? '', scratch)
      }
      const inGroup = group?.wrap(command.argv) ?? command.argv
      const place = {
        cwd: command.remove === undefined ? cwd : '/',
        env: {
          ...(terminal && TERM),
          ...spec.env,
          ...command.extraEnv,
          [ENGINE_MARK]: engineId,
          [CONTAINER_MARK]: markOf(spec.id),
        },
      }
      reaper.prepare()
      const elsewhere = stdin || terminal !== undefined ? undefined : spawner
      const spawned = elsewhere?.start({ argv: inGroup, ...place }, spec.onOutput)
      if (spawned !== undefined) return { spawned, remove }
      const child = startHere(inGroup, place, surroundings)
      if (hasStarted(child)) {
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
}

function startHere(
  argv: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  { stdin, terminal }: Surroundings,
): ChildProcess {
  const [program, ...args] = (terminal?.wrap(argv, stdin) ?? argv) as [string, ...string[]]
  return spawn(program, args, {
    ...place,
    detached: true,
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(terminal === undefined ? [] : ['pipe' as const])],
  })
}

function hasStarted(child: ChildProcess): child is ChildProcess & { readonly pid: number } {
  return child.pid !== undefined
}

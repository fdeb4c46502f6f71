import type { ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { readChild } from '../process/child-output.ts'
import { endMarked, signalProcess } from '../process/end-processes.ts'
import { feedInput } from '../process/feed-input.ts'
import { CONTAINER_MARK, ENGINE_MARK } from '../process/marked-processes.ts'
import type { ContainerExit, ContainerSpec, ExecSpec, OutputStream, Runner, RunningContainer } from '../runner.ts'
import { followSize } from '../terminal/follow-size.ts'
import { withLines } from '../terminal/line-terminal.ts'
import type { RunnerSurroundings } from './container-engine.ts'
import { createArguments, ENGINE_LABEL } from './create-arguments.ts'
import type { EngineCli } from './engine-cli.ts'

export interface ContainerRunnerOptions extends RunnerSurroundings {
  readonly cli: EngineCli
  /** See `createArguments`. */
  readonly labelDisabled: boolean
}

/** What the engine knows about a container. */
interface EngineState {
  readonly Status?: string
  readonly ExitCode?: number
  readonly OOMKilled?: boolean
  readonly Error?: string
  readonly StartedAt?: string
}

/** Behind it the process that made the container. */
const NAME_PREFIX = 'trainjob-'
const POLL_MS = 50
const NO_DETACH_KEYS = '--detach-keys='
const CANNOT_START = 127
const NOT_EXECUTABLE = 126

/** Runs containers from their images, by the program of podman or docker. */
export function createContainerRunner(options: ContainerRunnerOptions): Runner {
  const { cli, engineId, reaper } = options
  const live = new Set<RunningContainer>()
  let count = 0
  // Nobody waits for what an engine that was killed has left; it is only in the way.
  void removeLeftovers(cli)

  function start(spec: ContainerSpec): RunningContainer {
    const name = `${NAME_PREFIX}${process.pid}-${engineId}-${count++}`
    let wanted: 'TERM' | 'KILL' | undefined
    let created = false
    let over = false
    let input: NodeJS.WritableStream | null = null
    const early: (Uint8Array | undefined)[] = []
    let tellStarted: (started: boolean) => void = () => {}
    const started = new Promise<boolean>((resolve) => (tellStarted = resolve))
    const ending = new AbortController()
    const terminal = spec.tty === true ? options.terminals?.() : undefined
    let attached: ChildProcess | undefined

    const send = (signal: 'TERM' | 'KILL'): void => {
      if (wanted !== 'KILL') wanted = signal
      if (created && !over) void cli.run(['kill', '--signal', signal, name])
    }

    async function run(): Promise<ContainerExit> {
      const { args, env } = createArguments(spec, {
        name,
        engineId,
        labelDisabled: options.labelDisabled,
        terminal: terminal !== undefined,
      })
      reaper.prepare()
      const making = await cli.run(args, env)
      if (making.code !== 0) return { code: CANNOT_START, startFailure: reasonIn(making.stderr) }
      created = true
      // asked to end before it began
      if (wanted !== undefined) return { code: 137, startFailure: 'the container was ended before it started' }
      return await attach()
    }

    /** The program that starts the container and shows what it prints. */
    function startAttached(): ChildProcess {
      const stdin = spec.stdin === true
      // keys that would leave the container are the program's
      const keys = terminal === undefined ? [] : [NO_DETACH_KEYS]
      const child = cli.start(
        ['start', '--attach', ...(stdin ? ['--interactive'] : []), ...keys, name],
        stdin,
        terminal,
      )
      child.on('error', () => {})
      return child
    }

    async function attach(): Promise<ContainerExit> {
      const child = startAttached()
      attached = child
      if (child.pid !== undefined) reaper.add(child.pid)
      input = child.stdin
      input?.on('error', () => {})
      for (const chunk of early) feed(chunk)
      // Until it has started, what comes on stderr may be the engine's.
      const held: Buffer[] = []
      let running = false
      const output = readChild(child, (stream: OutputStream, chunk: Buffer) => {
        if (running || stream === 'stdout') spec.onOutput(stream, chunk)
        else held.push(chunk)
      })
      const release = (): void => {
        running = true
        for (const chunk of held.splice(0)) spec.onOutput('stderr', chunk)
        tellStarted(true)
      }
      if (await beganBefore(output.ended)) release()
      const how = child.pid === undefined ? { code: 125 } : await output.ended
      await output.drain()
      over = true
      ending.abort()
      if (child.pid !== undefined) reaper.remove(child.pid)
      const last = await state(name)
      if (!hasStarted(last)) return startFailureOf(last, Buffer.concat(held).toString('utf8'))
      release()
      return { code: last?.ExitCode ?? how.code, ...(last?.OOMKilled === true && { oomKilled: true }) }
    }

    /** Asks until the container runs, or the program that started it has ended. */
    async function beganBefore(end: Promise<unknown>): Promise<boolean> {
      let ended = false
      void end.then(() => {
        ended = true
      })
      while (!ended) {
        if (hasStarted(await state(name))) return true
        await Promise.race([end, setTimeout(POLL_MS)])
      }
      return false
    }

    function feed(chunk: Uint8Array | undefined): void {
      if (chunk === undefined) input?.end()
      else input?.write(chunk)
    }

    const exit = run()
      .catch((error: Error): ContainerExit => ({ code: CANNOT_START, startFailure: error.message }))
      .then(async (how) => {
        over = true
        tellStarted(how.startFailure === undefined)
        if (created) await cli.run(['rm', '--force', '--volumes', name])
        live.delete(container)
        return how
      })
    const container: RunningContainer = {
      started,
      exit,
      exec: (command) => exec(name, command, ending.signal, `${spec.id}/exec-${count++}`),
      input(chunk) {
        if (input === null) early.push(chunk)
        else feed(chunk)
      },
      atTerminal: terminal !== undefined,
      resize(size) {
        if (attached !== undefined) terminal?.resize(attached, size)
      },
      terminate: () => send('TERM'),
      kill: () => send('KILL'),
    }
    live.add(container)
    return container
  }

  async function state(name: string): Promise<EngineState | undefined> {
    const { code, stdout } = await cli.run(['container', 'inspect', '--format', '{{json .State}}', name])
    if (code !== 0) return undefined
    try {
      return JSON.parse(stdout) as EngineState
    } catch {
      return undefined
    }
  }

  async function exec(name: string, command: ExecSpec, ending: AbortSignal, mark: string): Promise<ContainerExit> {
    const signal = AbortSignal.any([command.signal, ending])
    if (signal.aborted) return { code: 137, startFailure: 'the container has ended' }
    const terminal = command.terminal === undefined ? undefined : options.terminals?.()
    if (command.terminal !== undefined && terminal === undefined) {
      return withLines(command, (plain) => exec(name, plain, ending, mark))
    }
    const stdin = command.stdin !== undefined
    const ways = [...(stdin ? ['--interactive'] : []), ...(terminal === undefined ? [] : ['--tty', NO_DETACH_KEYS])]
    const flags = ['--env', `${CONTAINER_MARK}=${mark}`, ...ways]
    const child = cli.start(['exec', ...flags, name, ...command.argv], stdin, terminal)
    child.on('error', () => {})
    const { pid } = child
    if (pid === undefined) return { code: 126, startFailure: 'the container engine could not be started' }
    const kill = (): void => {
      signalProcess(-pid, 'SIGKILL')
      // the command itself is no child of the program that asked for it
      void endMarked(CONTAINER_MARK, mark)
    }
    signal.addEventListener('abort', kill, { once: true })
    let said = ''
    const output = readChild(child, (stream, chunk) => {
      if (stream === 'stderr' && said.length < 1_000) said += chunk.toString()
      return command.onOutput(stream, chunk)
    })
    const over = new AbortController()
    if (command.stdin !== undefined && child.stdin !== null) void feedInput(child.stdin, command.stdin, over.signal)
    if (terminal !== undefined && command.terminal !== undefined) void followSize(child, terminal, command.terminal)
    const how = await output.ended
    over.abort()
    signal.removeEventListener('abort', kill)
    await output.drain()
    const unable = how.code >= 125 && how.code <= 127 && /^(Error|OCI|docker|podman)/m.test(said)
    return unable ? { ...how, startFailure: reasonIn(said) } : how
  }

  return {
    start,
    async close() {
      const left = [...live]
      for (const container of left) container.kill()
      await Promise.all(left.map((container) => container.exit))
      await endMarked(ENGINE_MARK, engineId)
      reaper.dismiss()
    },
  }
}

/** Containers of engines that do not live any more: their names say which process made them. */
async function removeLeftovers(cli: EngineCli): Promise<void> {
  const filter = ['--filter', `name=^${NAME_PREFIX}`, '--filter', `label=${ENGINE_LABEL}`]
  const { code, stdout } = await cli.run(['ps', '--all', ...filter, '--format', '{{.Names}}'])
  if (code !== 0) return
  const dead = stdout.split('\n').filter((name) => {
    const pid = name.startsWith(NAME_PREFIX) ? /^\d+(?=-)/.exec(name.slice(NAME_PREFIX.length))?.[0] : undefined
    return pid !== undefined && !isAlive(Number(pid))
  })
  if (dead.length > 0) await cli.run(['rm', '--force', '--volumes', ...dead])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function hasStarted(state: EngineState | undefined): boolean {
  return state?.StartedAt !== undefined && !state.StartedAt.startsWith('0001-')
}

/** Nothing ran. The code is that of a shell, for the engines have their own views of it. */
function startFailureOf(state: EngineState | undefined, said: string): ContainerExit {
  const reason = reasonIn(said || state?.Error || '')
  return { code: /permission denied/i.test(reason) ? NOT_EXECUTABLE : CANNOT_START, startFailure: reason }
}

/** The engine's last words, without its usual beginning. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (lines.at(-1) ?? 'the container engine could not start it').replace(/^Error(?: response from daemon)?: /, '')
}

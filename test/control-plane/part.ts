import { spawn, spawnSync } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'

/** A program of the control plane while it runs. */
export interface Part {
  readonly name: string
  readonly pid: number
  /** Rejects when the program ends before it is stopped, with the end of its log. Never resolves. */
  readonly died: Promise<never>
  /** Ends it, by force if it takes longer than `graceMs`. */
  stop(): Promise<void>
}

export interface PartOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly log: string
}

const GRACE_MS = 5000
const LOG_LINES = 15

/** Starts a program in a process group of its own, so that a Ctrl-C in the terminal leaves its end to us. */
export async function startPart({ name, command, args, env, log }: PartOptions): Promise<Part> {
  const output = await open(log, 'w')
  const [program, ...rest] = [...mortal(), command, ...args] as [string, ...string[]]
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', output.fd, output.fd],
    detached: true,
  })
  let stopping = false
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
  }).finally(async () => {
    process.off('exit', killNow)
    await output.close()
  })
  const died = ended.then(async (how) => {
    if (stopping) return new Promise<never>(() => {})
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
    throw new Error(`${name} ended (${how}). The end of its log:\n${lines.slice(-LOG_LINES).join('\n')}`)
  })
  died.catch(() => {}) // whoever waits for it is told
  if (child.pid === undefined) await died
  return {
    name,
    pid: child.pid as number,
    died,
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      const force = setTimeout(killNow, GRACE_MS)
      await ended
      clearTimeout(force)
    },
  }
}

let prefix: readonly string[] | undefined

/** Where the system can, the kernel ends the program should this process be killed. */
function mortal(): readonly string[] {
  prefix ??=
    spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0 ? ['setpriv', '--pdeathsig', 'KILL'] : []
  return prefix
}

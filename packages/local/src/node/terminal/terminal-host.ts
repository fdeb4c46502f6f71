import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { TerminalSize } from '../../server/exec/terminal-link.ts'
import { findExecutable } from '../process/find-executable.ts'
import { TERMINAL_SCRIPT } from './terminal-script.ts'

/** Gives programs a terminal of their own, with the help of a program of this machine. */
export interface TerminalHost {
  /** The same program at a terminal. It must be started with a pipe at descriptor 3. @param stdin whether input comes */
  wrap(argv: readonly string[], stdin: boolean): [string, ...string[]]
  /** Tells the terminal of a process that was started so its size. */
  resize(child: ChildProcess, size: TerminalSize): void
}

const PROBE_TIMEOUT_MS = 5_000

/** Finds what can make terminals: Python, or `script` of util-linux. Starts each once to see whether it works. */
export function findTerminalHost(env: Readonly<Record<string, string>>): TerminalHost | undefined {
  const python = find('python3', ['-I', '-c', 'import pty, termios'], env, 0)
  if (python !== undefined) return pythonHost(python)
  const script = process.platform === 'linux' ? find('script', ['-qefc', 'exit 7', '/dev/null'], env, 7) : undefined
  return script === undefined ? undefined : scriptHost(script)
}

/** Its path, which a container may not have on its own search path. */
function find(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  code: number,
): string | undefined {
  const found = findExecutable(program, '/', env.PATH ?? '')
  if (found.kind !== 'found') return undefined
  const { status } = spawnSync(found.path, args, { env, stdio: 'ignore', timeout: PROBE_TIMEOUT_MS })
  return status === code ? found.path : undefined
}

const pythonHost = (python: string): TerminalHost => ({
  // isolated (-I): neither the user's variables nor modules in the working directory change what it does
  wrap: (argv, stdin) => [python, '-I', '-c', TERMINAL_SCRIPT, stdin ? 'i' : '-', ...argv],
  resize(child, { columns, rows }) {
    const control = child.stdio[3] as Writable | null | undefined
    control?.on('error', () => {})
    if (control?.writable === true) control.write(`${columns} ${rows}\n`)
  },
})

const scriptHost = (script: string): TerminalHost => ({
  wrap: (argv) => [script, '-qefc', `exec ${argv.map(quoted).join(' ')}`, '/dev/null'],
  resize: (child, size) => resizeWhenThere(child, size, MAKING_TRIES),
})

/** A process that has just been started has no terminal yet: it is looked for this often. */
const MAKING_TRIES = 100
const MAKING_MS = 20

function resizeWhenThere(child: ChildProcess, size: TerminalSize, tries: number): void {
  const terminal = terminalOf(child.pid)
  if (terminal !== undefined) {
    const args = ['-F', terminal, 'cols', String(size.columns), 'rows', String(size.rows)]
    spawn('stty', args, { stdio: 'ignore' }).on('error', () => {})
  } else if (tries > 1 && child.exitCode === null && child.signalCode === null) {
    setTimeout(() => resizeWhenThere(child, size, tries - 1), MAKING_MS).unref()
  }
}

/** Whoever `script` has started sits at the terminal. */
function terminalOf(pid: number | undefined): string | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    const path = readlinkSync(`/proc/${child}/fd/0`)
    return path.startsWith('/dev/pts/') ? path : undefined
  } catch {
    return undefined
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

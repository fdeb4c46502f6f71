import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import type { TerminalHost } from '../terminal/terminal-host.ts'

/** What a command of the engine's program said. */
export interface CliAnswer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The program of a container engine. */
export interface EngineCli {
  /** Runs a command to its end. Never rejects. */
  run(args: readonly string[], moreEnv?: Readonly<Record<string, string>>): Promise<CliAnswer>
  /** Starts a command whose input and output are used while it runs, at a terminal if one is given. */
  start(args: readonly string[], stdin: boolean, terminal?: TerminalHost): ChildProcess
}

const LIMIT_BYTES = 16 * 1024 * 1024

/** @param env the program's own environment, in which it finds its configuration */
export function createEngineCli(path: string, env: Readonly<Record<string, string | undefined>>): EngineCli {
  return {
    run: (args, moreEnv = {}) =>
      new Promise((resolve) => {
        execFile(
          path,
          args,
          { env: { ...env, ...moreEnv }, maxBuffer: LIMIT_BYTES, encoding: 'utf8' },
          (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 125
            resolve({ code, stdout, stderr: stderr === '' && error !== null ? error.message : stderr })
          },
        )
      }),
    // in a group of its own: Ctrl-C is ours to answer
    start(args, stdin, terminal) {
      const [program, ...rest] = terminal?.wrap([path, ...args], stdin) ?? [path, ...args]
      const stdio = [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(terminal === undefined ? [] : ['pipe' as const])]
      return spawn(program as string, rest, { env, detached: true, stdio: stdio as StdioOptions })
    },
  }
}

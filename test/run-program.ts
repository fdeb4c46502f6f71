import { type ChildProcess, spawn } from 'node:child_process'

/** How a program ended, and what it wrote. */
export interface Ended {
  /** That of the shell: 128 and the signal for a program that was ended. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Ends it, as soon as what it has printed so far is enough. */
  readonly until?: (stdout: string) => boolean
  /** Ends it. */
  readonly signal?: AbortSignal
  /** Then it is ended. */
  readonly timeoutMs?: number
}

/** Runs a program to its end, and in any case ends it. */
export function runProgram(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { input = '', env = process.env, cwd, until, signal, timeoutMs = 50_000 } = options
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(file, args, { env: env as NodeJS.ProcessEnv, ...(cwd !== undefined && { cwd }) })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const end = (): void => void child.kill('SIGTERM')
    if (signal?.aborted === true) end()
    signal?.addEventListener('abort', end, { once: true })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      if (until?.(stdout) === true) child.kill('SIGTERM')
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    // it may end without having read everything
    child.stdin?.on('error', () => {}).end(input)
    child.once('error', reject)
    child.once('close', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve({ code: code ?? (killedBy === 'SIGTERM' ? 143 : 137), stdout, stderr })
    })
  })
}

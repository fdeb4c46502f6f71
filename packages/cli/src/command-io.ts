import type { Clock } from '@trainjob/kube'

/** A place to write text to. Writing never waits: the process flushes before it ends. */
export interface Output {
  write(text: string | Uint8Array): void
  readonly isTTY: boolean
  /** Width of the terminal; 80 when it is none. */
  columns(): number
}

/** Everything a command may touch of the world outside, so that a test can stand in for it. */
export interface CommandIO {
  /** Data, and nothing else. */
  readonly stdout: Output
  /** Status, notes and errors. */
  readonly stderr: Output
  readonly stdin: () => AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly cwd: string
  readonly clock: Clock
  /** Lower-case hexadecimal, `digits` long: what makes generated names unique. */
  readonly randomHex: (digits: number) => string
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal
  /** How the user calls us: `trainjob` or `kubectl trainjob`. */
  readonly program: string
}

import { systemClock } from '@trainjob/kube'
import type { CommandIO, Output } from '../command-io.ts'

/** The I/O of a command in a test, and what it wrote. */
export interface CapturedIO {
  readonly io: CommandIO
  stdout(): string
  stderr(): string
  /** As Ctrl-C does. */
  interrupt(signal?: string): void
  /** Resolves when stdout and stderr together contain the text. */
  until(text: string): Promise<void>
}

/** Stands in for a process. Nothing of the real environment comes through. */
export function capturedIO(
  options: Partial<Pick<CommandIO, 'env' | 'cwd' | 'clock' | 'program'>> & {
    readonly stdin?: string
    readonly isTTY?: boolean
    readonly columns?: number
  } = {},
): CapturedIO {
  const stopping = new AbortController()
  const written = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const output = (stream: 'stdout' | 'stderr'): Output => ({
    write: (text) => {
      written[stream] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
      for (const look of waiting) look()
    },
    isTTY: options.isTTY === true,
    columns: () => options.columns ?? 80,
  })
  return {
    io: {
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: async function* () {
        yield Buffer.from(options.stdin ?? '')
      },
      env: options.env ?? {},
      cwd: options.cwd ?? '/',
      clock: options.clock ?? systemClock,
      randomHex: (digits) => '7f3a91c05be2d846'.slice(0, digits),
      signal: stopping.signal,
      program: options.program ?? 'trainjob',
    },
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    interrupt: (signal = 'SIGINT') => stopping.abort(signal),
    until: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!`${written.stdout}${written.stderr}`.includes(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

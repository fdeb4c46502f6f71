import type { CommandIO } from '../../command-io.ts'
import { widthOf } from '../../output/table.ts'

/**
 * Log lines on one output, status on the other, and on a terminal a status line below both that is always the latest.
 * All text that `run` prints goes through it, so that the status line never ends up in the middle of something.
 */
export interface Screen {
  /** A whole line of data. */
  data(line: string): void
  /** A whole line for the user. */
  note(line: string): void
  /** Replaces the status line; without a terminal it is not shown. */
  status(line: string): void
  /** Takes the status line away. */
  close(): void
  /** Whether there is a status line. */
  readonly live: boolean
}

const CLEAR = '\r\x1b[2K'

export function createScreen({ stdout, stderr, env }: Pick<CommandIO, 'stdout' | 'stderr' | 'env'>): Screen {
  const live = stderr.isTTY && env.TERM !== 'dumb' && (env.CI ?? '') === ''
  let shown = ''
  const above = (write: () => void): void => {
    if (shown !== '') stderr.write(CLEAR)
    write()
    if (shown !== '') stderr.write(shown)
  }
  return {
    live,
    data: (line) => above(() => stdout.write(`${line}\n`)),
    note: (line) => above(() => stderr.write(`${line}\n`)),
    status: (line) => {
      if (!live) return
      const text = cut(line, stderr.columns() - 1)
      if (text === shown) return
      stderr.write(`${shown === '' ? '' : CLEAR}${text}`)
      shown = text
    },
    close: () => {
      if (shown !== '') stderr.write(CLEAR)
      shown = ''
    },
  }
}

/** A line that wraps could not be taken back. */
function cut(line: string, width: number): string {
  if (widthOf(line) <= width) return line
  let text = line
  while (text !== '' && widthOf(text) > width - 1) text = text.slice(0, -1)
  return `${text}…`
}

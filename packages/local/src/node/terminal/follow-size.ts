import type { ChildProcess } from 'node:child_process'
import type { TerminalSize } from '../../server/exec/terminal-link.ts'
import type { TerminalHost } from './terminal-host.ts'

/** Keeps the terminal of a process as large as its user's, until there are no more `sizes`. */
export async function followSize(
  child: ChildProcess,
  terminal: TerminalHost,
  sizes: AsyncIterable<TerminalSize>,
): Promise<void> {
  for await (const size of sizes) terminal.resize(child, size)
}

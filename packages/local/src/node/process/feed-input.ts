import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes chunks to the standard input of a process, no faster than it reads. A process that reads no more is no failure. */
export async function feedInput(
  stdin: Writable,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  stdin.on('error', () => {})
  try {
    for await (const chunk of chunks) {
      if (signal.aborted || stdin.destroyed) break
      if (!stdin.write(chunk)) await once(stdin, 'drain', { signal })
    }
  } catch {
    // who sends has gone, or who reads
  }
  stdin.end()
}

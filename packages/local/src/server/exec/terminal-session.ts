import { createInputQueue } from './input-queue.ts'
import type { OpenedTerminal } from './opened-stream.ts'
import { createSizeQueue } from './size-queue.ts'
import type { StreamEnd } from './stream-source.ts'
import type { TerminalLink } from './terminal-link.ts'

/** Leads a user to a command or container, until that ends or the user goes. */
export async function serveTerminal(link: TerminalLink, opened: OpenedTerminal): Promise<void> {
  const gone = new AbortController()
  const input = createInputQueue(link.hold)
  const sizes = createSizeQueue()
  link.listen({
    onInput: (chunk) => opened.stdin && input.push(chunk),
    onInputEnd: input.end,
    onResize: sizes.push,
  })
  void link.closed.then(() => {
    input.end()
    sizes.end()
    gone.abort()
  })

  // the real server begins with an empty message, by which clients know that they are connected
  await link.send('stdout', new Uint8Array())
  const end = await opened.run({
    ...(opened.stdin && { stdin: input }),
    ...(opened.tty && { terminal: sizes }),
    onOutput(stream, chunk) {
      if (opened[stream]) return link.send(stream, chunk)
    },
    signal: gone.signal,
  })
  sizes.end()
  await link.send('status', Buffer.from(JSON.stringify(statusOf(end))))
  link.close()
}

function statusOf(end: StreamEnd): object {
  if ('failure' in end) {
    return { metadata: {}, status: 'Failure', message: end.failure, reason: 'InternalError', code: 500 }
  }
  if (end.code === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${end.code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(end.code) }] },
  }
}

import type { WebSocket } from 'ws'
import { createInputQueue } from './input-queue.ts'
import { createLineDiscipline, type LineDiscipline } from './line-discipline.ts'
import type { OpenedTerminal } from './opened-stream.ts'
import type { StreamEnd } from './stream-source.ts'

/** Channels of Kubernetes' `v4.channel.k8s.io` and `v5`: the first byte of each message. 4 would be the window's size. */
const STDIN = 0
const STDOUT = 1
const STDERR = 2
const STATUS = 3
/** Only v5: the byte behind it names the channel that ends. */
const CLOSE = 255

/** More than this in the socket's queue, and the command waits. */
const FULL_BYTES = 1024 * 1024
const NO_TERMINAL =
  'commands run without a terminal here: lines are sent whole, and programs that paint the screen do not work\r\n'

/** Leads a user's WebSocket to a command or container, until that ends or the user goes. */
export async function serveTerminal(socket: WebSocket, opened: OpenedTerminal): Promise<void> {
  const gone = new AbortController()
  const input = createInputQueue((full) => (full ? socket.pause() : socket.resume()))
  let interrupted = false

  const send = (channel: number, chunk: Uint8Array): void | Promise<void> => {
    if (socket.readyState !== socket.OPEN) return
    const message = Buffer.allocUnsafe(chunk.length + 1)
    message[0] = channel
    message.set(chunk, 1)
    if (socket.bufferedAmount < FULL_BYTES) {
      socket.send(message)
      return
    }
    return new Promise((resolve) => socket.send(message, () => resolve()))
  }
  let lines: LineDiscipline | undefined
  if (opened.tty) {
    lines = createLineDiscipline({
      onLine: input.push,
      onEcho: (text) => void send(STDOUT, text),
      onInterrupt() {
        interrupted = true
        gone.abort()
      },
      onEnd: input.end,
    })
  }
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary && data.length === 0) return
    const channel = data[0]
    if (channel === CLOSE && data[1] === STDIN) input.end()
    if (channel !== STDIN || !opened.stdin) return
    if (lines === undefined) input.push(data.subarray(1))
    else lines.type(data.subarray(1))
  })
  socket.once('close', () => {
    input.end()
    gone.abort()
  })
  socket.on('error', () => {})

  // the real server begins with an empty message, by which clients know that they are connected
  await send(STDOUT, new Uint8Array())
  if (opened.tty && opened.stdin) await send(STDOUT, Buffer.from(NO_TERMINAL))
  const end = await opened.run({
    ...(opened.stdin && { stdin: input }),
    onOutput(stream, chunk) {
      if (lines !== undefined) return send(STDOUT, lines.show(chunk))
      const channel = stream === 'stdout' ? STDOUT : STDERR
      if (opened[stream]) return send(channel, chunk)
    },
    signal: gone.signal,
  })
  const status = statusOf(interrupted ? { code: INTERRUPTED } : end)
  await send(STATUS, Buffer.from(JSON.stringify(status)))
  socket.close(1000)
}

/** As a shell reports Ctrl-C. */
const INTERRUPTED = 130

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

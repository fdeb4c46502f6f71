import type { ByteLink } from './byte-link.ts'
import type { OpenedTerminal } from './opened-stream.ts'
import { type SpdyStream, serveSpdy } from './spdy/connection.ts'
import { type TerminalLink, terminalSize } from './terminal-link.ts'

/** How long the user may take to open the streams of one command (source: kubelet, streamCreationTimeout). */
const OPEN_MS = 30_000

/** The streams by their kinds. */
type Kind = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize'

/**
 * A user who speaks `v4.channel.k8s.io` over SPDY: a stream for each direction, one for the outcome, one for the
 * size of the terminal. Resolves when all that `opened` needs are there; undefined when they do not come.
 */
export async function spdyTerminal(link: ByteLink, opened: OpenedTerminal): Promise<TerminalLink | undefined> {
  const wanted = wantedKinds(opened)
  const streams = new Map<Kind, SpdyStream>()
  let complete: () => void = () => {}
  const opening = new Promise<void>((resolve) => (complete = resolve))
  const timer = setTimeout(() => link.close(), OPEN_MS)
  void serveSpdy(link, (stream) => {
    const kind = stream.headers.get('streamtype') as Kind
    if (!wanted.has(kind) || streams.has(kind)) {
      stream.reset()
      return
    }
    streams.set(kind, stream)
    if (streams.size === wanted.size) complete()
  })
  await Promise.race([opening, link.closed])
  clearTimeout(timer)
  if (streams.size < wanted.size) return undefined
  let release: () => void = () => {}
  let room: Promise<void> | undefined
  return {
    closed: link.closed,
    send: (stream, chunk) => streams.get(stream === 'status' ? 'error' : stream)?.write(chunk),
    listen(input) {
      const stdin = streams.get('stdin')
      const resize = streams.get('resize')
      if (stdin !== undefined) void read(stdin, input.onInput, () => room).then(input.onInputEnd)
      if (resize !== undefined) {
        void read(resize, (chunk) => {
          const size = terminalSize(Buffer.from(chunk).toString())
          if (size !== undefined) input.onResize(size)
        })
      }
    },
    hold(held) {
      if (held) room = new Promise((resolve) => (release = resolve))
      else {
        room = undefined
        release()
      }
    },
    close() {
      for (const stream of streams.values()) stream.end()
      link.close()
    },
  }
}

function wantedKinds({ stdin, stdout, stderr, tty }: OpenedTerminal): ReadonlySet<Kind> {
  const kinds = new Set<Kind>(['error'])
  if (stdin) kinds.add('stdin')
  if (stdout) kinds.add('stdout')
  if (stderr) kinds.add('stderr')
  if (tty) kinds.add('resize')
  return kinds
}

/** @param room pending while nothing more should come */
async function read(
  stream: SpdyStream,
  onChunk: (chunk: Uint8Array) => void,
  room: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  for await (const chunk of stream.input) {
    onChunk(chunk)
    await room()
  }
}

import type { ByteLink } from '../byte-link.ts'
import { createInputQueue, type InputQueue } from '../input-queue.ts'
import { RESET, type SpdyFrame } from './frame.ts'
import { createFrameReader } from './frame-reader.ts'
import { createHeaderReader, createHeaderWriter, type Headers } from './header-blocks.ts'
import { SpdyError } from './spdy-error.ts'
import { writeFrame } from './write-frame.ts'

/** One of the streams that the other side has opened. */
export interface SpdyStream {
  readonly headers: Headers
  /** What comes, until the other side ends it. */
  readonly input: AsyncIterable<Uint8Array>
  /** Aborts when the stream was reset, or the connection has ended. */
  readonly signal: AbortSignal
  /** While a promise is pending, the other side cannot take more. */
  write(chunk: Uint8Array): void | Promise<void>
  /** No more will be written. */
  end(): void
  /** Ends both ways at once. */
  reset(): void
}

interface OpenStream extends SpdyStream {
  readonly queue: InputQueue
  readonly gone: AbortController
  /** Pending while more waits than should. */
  room: Promise<void>
  makeRoom(): void
  theirsEnded: boolean
  oursEnded: boolean
}

/** Ours is not SPDY for browsers: nobody needs more at once. */
const STREAM_LIMIT = 1_000
const PROTOCOL_ERROR = 1

/**
 * Serves SPDY/3.1 as Kubernetes' clients speak it: they open all the streams, and nobody counts windows. `onStream` is
 * called for each stream, which is accepted before. Resolves when the connection has ended; never rejects.
 */
export async function serveSpdy(link: ByteLink, onStream: (stream: SpdyStream) => void): Promise<void> {
  const frames = createFrameReader()
  const reader = createHeaderReader()
  const writer = createHeaderWriter()
  const streams = new Map<number, OpenStream>()
  const incoming = createInputQueue((full) => link.hold(full))
  let lastId = 0
  let leaving = false

  const send = (frame: SpdyFrame): void | Promise<void> => link.send(writeFrame(frame))

  function dropIfOver(id: number, stream: OpenStream): void {
    if (!stream.theirsEnded || !stream.oursEnded) return
    streams.delete(id)
    stream.makeRoom()
  }

  function drop(id: number, stream: OpenStream): void {
    stream.theirsEnded = true
    stream.oursEnded = true
    stream.queue.end()
    stream.gone.abort()
    dropIfOver(id, stream)
  }

  function createStream(id: number, headers: Headers): OpenStream {
    const gone = new AbortController()
    const queue = createInputQueue((full) => {
      if (!full) stream.makeRoom()
      else stream.room = new Promise((resolve) => (stream.makeRoom = resolve))
    })
    const stream: OpenStream = {
      headers,
      queue,
      input: queue,
      gone,
      signal: gone.signal,
      room: Promise.resolve(),
      makeRoom() {},
      theirsEnded: false,
      oursEnded: false,
      write(chunk) {
        if (!stream.oursEnded && chunk.length > 0) return send({ type: 'data', streamId: id, fin: false, chunk })
      },
      end() {
        if (stream.oursEnded) return
        stream.oursEnded = true
        void send({ type: 'data', streamId: id, fin: true, chunk: new Uint8Array() })
        dropIfOver(id, stream)
      },
      reset() {
        if (streams.get(id) !== stream) return
        void send({ type: 'rst-stream', streamId: id, status: RESET.cancel })
        drop(id, stream)
      },
    }
    return stream
  }

  async function open(id: number, fin: boolean, block: Uint8Array): Promise<void> {
    // the blocks build on each other: also that of a stream that is refused is read
    const headers = await reader.read(block)
    if (leaving) return
    if (id <= lastId || id % 2 === 0) {
      void send({ type: 'rst-stream', streamId: id, status: RESET.protocolError })
      return
    }
    lastId = id
    if (streams.size >= STREAM_LIMIT) {
      void send({ type: 'rst-stream', streamId: id, status: RESET.refused })
      return
    }
    const stream = createStream(id, headers)
    streams.set(id, stream)
    void send({ type: 'syn-reply', streamId: id, fin: false, block: await writer.write(new Map()) })
    if (fin) endTheirs(id, stream)
    onStream(stream)
  }

  function endTheirs(id: number, stream: OpenStream): void {
    stream.theirsEnded = true
    stream.queue.end()
    dropIfOver(id, stream)
  }

  async function receive(frame: SpdyFrame): Promise<void> {
    switch (frame.type) {
      case 'syn-stream':
        return await open(frame.streamId, frame.fin, frame.block)
      case 'headers': {
        await reader.read(frame.block)
        const stream = streams.get(frame.streamId)
        if (frame.fin && stream !== undefined) endTheirs(frame.streamId, stream)
        return
      }
      case 'syn-reply':
        throw new SpdyError('expected no reply, since nothing was asked for')
      case 'data': {
        const stream = streams.get(frame.streamId)
        // what was on its way when the stream was reset
        if (stream === undefined || stream.theirsEnded) return
        stream.queue.push(frame.chunk)
        if (frame.fin) endTheirs(frame.streamId, stream)
        else await Promise.race([stream.room, link.closed])
        return
      }
      case 'rst-stream': {
        const stream = streams.get(frame.streamId)
        if (stream !== undefined) drop(frame.streamId, stream)
        return
      }
      case 'ping':
        // even numbers would be answers to pings of our own
        if (frame.id % 2 === 1) void send(frame)
        return
      case 'goaway':
        leaving = true
        return
      case 'window-update':
      case 'settings':
    }
  }

  void link.closed.then(() => {
    incoming.end()
    for (const [id, stream] of streams) drop(id, stream)
  })
  link.listen(incoming.push)
  try {
    for await (const chunk of incoming) {
      for (const frame of frames.push(chunk)) await receive(frame)
    }
  } catch (error) {
    if (!(error instanceof SpdyError)) throw error
    void send({ type: 'goaway', lastStreamId: lastId, status: PROTOCOL_ERROR })
    link.close()
    await link.closed
  } finally {
    reader.close()
    writer.close()
  }
}

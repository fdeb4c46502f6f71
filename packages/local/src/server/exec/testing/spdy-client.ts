import type { ByteLink } from '../byte-link.ts'
import { createFrameReader } from '../spdy/frame-reader.ts'
import { createHeaderWriter } from '../spdy/header-blocks.ts'
import { writeFrame } from '../spdy/write-frame.ts'

/** One stream, as the client that has opened it sees it. */
export interface ClientStream {
  readonly id: number
  /** Text so far. */
  text(): string
  /** The server has accepted it. */
  readonly replied: Promise<void>
  /** How the server ended it. */
  readonly ended: Promise<'fin' | number>
  send(text: string | Uint8Array, fin?: boolean): void
  reset(): void
}

/** The other side of a SPDY connection, over a link in memory. */
export interface SpdyClient {
  /** For the server. */
  readonly link: ByteLink
  open(headers: Readonly<Record<string, string>>, fin?: boolean): Promise<ClientStream>
  /** Bytes that may be no SPDY. */
  sendRaw(bytes: Uint8Array): void
  /** Resolves with the status of the server's farewell. */
  readonly goaway: Promise<number>
  /** Numbers of answered pings. */
  readonly pongs: readonly number[]
  close(): void
}

export function spdyClient(): SpdyClient {
  const waiting: Uint8Array[] = []
  let receive: ((chunk: Uint8Array) => void) | undefined
  let close: () => void = () => {}
  const closed = new Promise<void>((resolve) => (close = resolve))
  const reader = createFrameReader()
  const writer = createHeaderWriter()
  const streams = new Map<number, { push(text: Uint8Array): void; reply(): void; end(how: 'fin' | number): void }>()
  const pongs: number[] = []
  let leave: (status: number) => void = () => {}
  const goaway = new Promise<number>((resolve) => (leave = resolve))
  let nextId = 1

  function sendRaw(bytes: Uint8Array): void {
    if (receive === undefined) waiting.push(bytes)
    else receive(bytes)
  }

  return {
    goaway,
    pongs,
    sendRaw,
    close: () => close(),
    link: {
      closed,
      close: () => close(),
      hold() {},
      listen(onChunk) {
        receive = onChunk
        for (const chunk of waiting.splice(0)) onChunk(chunk)
      },
      send(chunk) {
        for (const frame of reader.push(chunk)) {
          if (frame.type === 'ping') pongs.push(frame.id)
          if (frame.type === 'goaway') leave(frame.status)
          if (frame.type === 'syn-reply') streams.get(frame.streamId)?.reply()
          if (frame.type === 'rst-stream') streams.get(frame.streamId)?.end(frame.status)
          if (frame.type !== 'data') continue
          streams.get(frame.streamId)?.push(frame.chunk)
          if (frame.fin) streams.get(frame.streamId)?.end('fin')
        }
      },
    },
    async open(headers, fin = false) {
      const id = nextId
      nextId += 2
      const chunks: Uint8Array[] = []
      let reply: () => void = () => {}
      let end: (how: 'fin' | number) => void = () => {}
      const replied = new Promise<void>((resolve) => (reply = resolve))
      const ended = new Promise<'fin' | number>((resolve) => (end = resolve))
      streams.set(id, { push: (chunk) => void chunks.push(chunk), reply, end })
      const block = await writer.write(new Map(Object.entries(headers)))
      sendRaw(writeFrame({ type: 'syn-stream', streamId: id, fin, block }))
      return {
        id,
        replied,
        ended,
        text: () => Buffer.concat(chunks).toString(),
        send(text, last = false) {
          sendRaw(writeFrame({ type: 'data', streamId: id, fin: last, chunk: Buffer.from(text) }))
        },
        reset: () => sendRaw(writeFrame({ type: 'rst-stream', streamId: id, status: 5 })),
      }
    },
  }
}

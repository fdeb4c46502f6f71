import { CONTROL_BIT, CONTROL_TYPES, FLAG_FIN, ID_MASK, type SpdyFrame, VERSION } from './frame.ts'
import { SpdyError } from './spdy-error.ts'

/** Finds frames in a stream of bytes that may be cut anywhere. */
export interface FrameReader {
  /** What `chunk` completes, in order. Throws `SpdyError` at what is no SPDY/3.1; nothing may be pushed after that. */
  push(chunk: Uint8Array): SpdyFrame[]
}

const HEAD_BYTES = 8
/** Of a control frame. Headers of Kubernetes' streams take a hundred bytes. */
const CONTROL_LIMIT = 64 * 1024

const TYPE_OF: ReadonlyMap<number, keyof typeof CONTROL_TYPES> = new Map(
  Object.entries(CONTROL_TYPES).map(([type, number]) => [number, type as keyof typeof CONTROL_TYPES]),
)
/** Bytes that a frame of a kind has at least; exactly, where no block follows. */
const FIXED_BYTES = {
  'syn-stream': 10,
  'syn-reply': 4,
  headers: 4,
  'rst-stream': 8,
  settings: 4,
  ping: 4,
  goaway: 8,
  'window-update': 8,
} as const

export function createFrameReader(): FrameReader {
  const head = Buffer.alloc(HEAD_BYTES)
  let headFilled = 0
  let data: { readonly streamId: number; readonly fin: boolean; left: number } | undefined
  let control:
    | { readonly type: keyof typeof CONTROL_TYPES; readonly flags: number; readonly payload: Buffer }
    | undefined
  let filled = 0

  function begin(): void {
    const flags = head.readUInt8(4)
    const length = head.readUIntBE(5, 3)
    const first = head.readUInt16BE(0)
    headFilled = 0
    if ((first & CONTROL_BIT) === 0) {
      data = { streamId: head.readUInt32BE(0), fin: (flags & FLAG_FIN) !== 0, left: length }
      return
    }
    const type = TYPE_OF.get(head.readUInt16BE(2))
    if ((first & ~CONTROL_BIT) !== VERSION || type === undefined) {
      throw new SpdyError(`expected a frame of SPDY/3.1, found the bytes ${head.toString('hex')}`)
    }
    if (length > CONTROL_LIMIT) {
      throw new SpdyError(`expected at most ${CONTROL_LIMIT} bytes in a control frame, found ${length}`)
    }
    const fixed = FIXED_BYTES[type]
    if (length < fixed || (length > fixed && !hasRest(type))) {
      throw new SpdyError(`expected ${fixed} bytes in a frame ${type}, found ${length}`)
    }
    control = { type, flags, payload: Buffer.allocUnsafe(length) }
    filled = 0
  }

  return {
    push(chunk) {
      const frames: SpdyFrame[] = []
      let at = 0
      while (at < chunk.length || (data !== undefined && data.left === 0)) {
        if (data !== undefined) {
          const part = chunk.subarray(at, at + data.left)
          at += part.length
          data.left -= part.length
          const last = data.left === 0
          frames.push({ type: 'data', streamId: data.streamId, fin: last && data.fin, chunk: part })
          if (last) data = undefined
        } else if (control !== undefined) {
          const part = chunk.subarray(at, at + control.payload.length - filled)
          control.payload.set(part, filled)
          at += part.length
          filled += part.length
          if (filled < control.payload.length) continue
          frames.push(controlFrame(control.type, control.flags, control.payload))
          control = undefined
        } else {
          const part = chunk.subarray(at, at + HEAD_BYTES - headFilled)
          head.set(part, headFilled)
          at += part.length
          headFilled += part.length
          if (headFilled === HEAD_BYTES) begin()
        }
      }
      return frames
    },
  }
}

function hasRest(type: keyof typeof CONTROL_TYPES): boolean {
  return type === 'syn-stream' || type === 'syn-reply' || type === 'headers' || type === 'settings'
}

function controlFrame(type: keyof typeof CONTROL_TYPES, flags: number, payload: Buffer): SpdyFrame {
  const first = type === 'settings' ? 0 : payload.readUInt32BE(0)
  const second = FIXED_BYTES[type] >= 8 ? payload.readUInt32BE(4) : 0
  const streamId = first & ID_MASK
  switch (type) {
    case 'syn-stream':
    case 'syn-reply':
    case 'headers':
      return { type, streamId, fin: (flags & FLAG_FIN) !== 0, block: payload.subarray(FIXED_BYTES[type]) }
    case 'rst-stream':
      return { type, streamId, status: second }
    case 'goaway':
      return { type, lastStreamId: streamId, status: second }
    case 'window-update':
      return { type, streamId, delta: second & ID_MASK }
    case 'ping':
      return { type, id: first }
    case 'settings':
      return { type }
  }
}

import { CONTROL_BIT, CONTROL_TYPES, FLAG_FIN, MAX_FRAME_BYTES, type SpdyFrame, VERSION } from './frame.ts'

/** The bytes of a frame. Data of more than 16 MB become several frames. Streams have no priorities here. */
export function writeFrame(frame: SpdyFrame): Buffer {
  switch (frame.type) {
    case 'data':
      return dataFrames(frame.streamId, frame.fin, frame.chunk)
    case 'syn-stream':
      return control(frame.type, frame.fin, Buffer.concat([numbers(frame.streamId, 0), Buffer.alloc(2), frame.block]))
    case 'syn-reply':
    case 'headers':
      return control(frame.type, frame.fin, Buffer.concat([numbers(frame.streamId), frame.block]))
    case 'rst-stream':
      return control(frame.type, false, numbers(frame.streamId, frame.status))
    case 'goaway':
      return control(frame.type, false, numbers(frame.lastStreamId, frame.status))
    case 'window-update':
      return control(frame.type, false, numbers(frame.streamId, frame.delta))
    case 'ping':
      return control(frame.type, false, numbers(frame.id))
    case 'settings':
      return control(frame.type, false, numbers(0))
  }
}

function control(type: keyof typeof CONTROL_TYPES, fin: boolean, payload: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt16BE(CONTROL_BIT | VERSION, 0)
  head.writeUInt16BE(CONTROL_TYPES[type], 2)
  head.writeUInt8(fin ? FLAG_FIN : 0, 4)
  head.writeUIntBE(payload.length, 5, 3)
  return Buffer.concat([head, payload])
}

function dataFrames(streamId: number, fin: boolean, chunk: Uint8Array): Buffer {
  const parts: Uint8Array[] = []
  let at = 0
  do {
    const part = chunk.subarray(at, at + MAX_FRAME_BYTES)
    at += part.length
    const head = Buffer.alloc(8)
    head.writeUInt32BE(streamId, 0)
    head.writeUInt8(fin && at >= chunk.length ? FLAG_FIN : 0, 4)
    head.writeUIntBE(part.length, 5, 3)
    parts.push(head, part)
  } while (at < chunk.length)
  return Buffer.concat(parts)
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value, 4 * place)
  return bytes
}

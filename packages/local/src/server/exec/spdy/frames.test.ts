import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SpdyFrame } from './frame.ts'
import { createFrameReader } from './frame-reader.ts'
import { writeFrame } from './write-frame.ts'

const id = fc.integer({ min: 0, max: 0x7f_ff_ff_ff })
const number = fc.integer({ min: 0, max: 0xff_ff_ff_ff })
const bytes = fc.uint8Array({ maxLength: 40 })
const frame: fc.Arbitrary<SpdyFrame> = fc.oneof(
  fc.record({
    type: fc.constantFrom('syn-stream' as const, 'syn-reply' as const, 'headers' as const),
    streamId: id,
    fin: fc.boolean(),
    block: bytes,
  }),
  fc.record({ type: fc.constant('data' as const), streamId: id, fin: fc.boolean(), chunk: bytes }),
  fc.record({ type: fc.constant('rst-stream' as const), streamId: id, status: number }),
  fc.record({ type: fc.constant('goaway' as const), lastStreamId: id, status: number }),
  fc.record({ type: fc.constant('ping' as const), id: number }),
  fc.record({ type: fc.constant('window-update' as const), streamId: id, delta: id }),
  fc.constant({ type: 'settings' as const }),
)

/** Parts of data in a row are one, until the stream ends. */
function joined(frames: readonly SpdyFrame[]): object[] {
  const found: { type: string; streamId?: number; fin?: boolean; bytes?: number[] }[] = []
  for (const one of frames) {
    if (one.type !== 'data') {
      const plain = 'block' in one ? { ...one, block: [...one.block] } : one
      found.push(plain)
      continue
    }
    const last = found.at(-1)
    if (last?.type === 'data' && last.streamId === one.streamId && last.fin === false) {
      last.bytes?.push(...one.chunk)
      last.fin = one.fin
    } else found.push({ type: 'data', streamId: one.streamId, fin: one.fin, bytes: [...one.chunk] })
  }
  return found
}

describe('frames', () => {
  it('are read as they were written, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 30 })), (frames, cuts) => {
        const all = Buffer.concat(frames.map(writeFrame))
        const reader = createFrameReader()
        const read: SpdyFrame[] = []
        let at = 0
        for (const cut of [...cuts, all.length]) {
          // as from a socket, whose buffers nobody else changes
          read.push(...reader.push(all.subarray(at, at + cut)))
          at += cut
        }
        expect(joined(read)).toEqual(joined(frames))
      }),
    )
  })

  it('of any other bytes are refused or awaited, and never more', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
        const reader = createFrameReader()
        try {
          for (const chunk of chunks) reader.push(chunk)
        } catch (error) {
          expect(error).toMatchObject({ name: 'SpdyError' })
        }
      }),
    )
  })

  it('of more data than a length can tell become several', () => {
    const chunk = Buffer.alloc(0x1_00_00_10, 7)
    const read = createFrameReader().push(writeFrame({ type: 'data', streamId: 1, fin: true, chunk }))
    expect(read.map((one) => one.type === 'data' && [one.chunk.length, one.fin])).toEqual([
      [0xff_ff_ff, false],
      [0x11, true],
    ])
  })

  it.each([
    ['another version', '8002000100000000', /expected a frame of SPDY\/3\.1/],
    ['an unknown kind', '80030005000000000', /expected a frame of SPDY\/3\.1/],
    ['a control frame that is too long', '8003000100ffffff', /at most 65536 bytes/],
    ['a ping of the wrong length', '8003000600000005', /expected 4 bytes in a frame ping, found 5/],
    ['a stream without a number', '8003000100000004', /expected 10 bytes/],
  ])('refuse %s', (_, hex, message) => {
    expect(() => createFrameReader().push(Buffer.from(hex, 'hex'))).toThrow(message)
  })
})

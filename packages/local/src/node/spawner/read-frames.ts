/** Kind, id and length of a frame. */
const HEAD_BYTES = 9

/** A reader of chunks that calls `onFrame` for every frame that is complete. */
export function readFrames(onFrame: (kind: string, id: number, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined
  return (chunk) => {
    const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= HEAD_BYTES) {
      const from = at + HEAD_BYTES
      const to = from + bytes.readUInt32LE(at + 5)
      if (to > bytes.length) break
      onFrame(String.fromCharCode(bytes[at] as number), bytes.readUInt32LE(at + 1), bytes.subarray(from, to))
      at = to
    }
    rest = at === bytes.length ? undefined : bytes.subarray(at)
  }
}

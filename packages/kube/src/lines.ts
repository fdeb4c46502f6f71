/**
 * Splits bytes into lines as they arrive, without their line ends. A character that two chunks share stays whole; a
 * last line without an end is given too. Lines longer than `maxBytes` come in parts, so that a program that never ends
 * its line cannot fill the memory.
 *
 * @example
 * async function* chunks() {
 *   yield Buffer.from('epoch 1\nepo')
 *   yield Buffer.from('ch 2\n')
 * }
 * const found: string[] = []
 * for await (const line of lines(chunks())) found.push(line)
 * found // => ['epoch 1', 'epoch 2']
 */
export async function* lines(chunks: AsyncIterable<Uint8Array>, maxBytes: number = 1 << 20): AsyncGenerator<string> {
  let rest: Uint8Array[] = []
  let restBytes = 0

  function take(end: Uint8Array): string {
    const whole = rest.length === 0 ? end : Buffer.concat([...rest, end])
    rest = []
    restBytes = 0
    return text(whole, 0, whole.length)
  }

  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield rest.length === 0 ? text(chunk, from, at) : take(chunk.subarray(from, at))
      from = at + 1
    }
    if (from === chunk.length) continue
    rest.push(chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes >= maxBytes) yield take(EMPTY)
  }
  if (restBytes > 0) yield take(EMPTY)
}

const NEWLINE = 10
const EMPTY = new Uint8Array(0)

function text(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8')
}

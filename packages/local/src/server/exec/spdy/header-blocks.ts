import { constants, createDeflate, createInflate } from 'node:zlib'
import { DICTIONARY } from './dictionary.ts'
import { SpdyError } from './spdy-error.ts'

/** Names in lower case. Several values of one name are joined by NUL. */
export type Headers = ReadonlyMap<string, string>

/** Compresses the header blocks of one direction: each builds on those before it. */
export interface HeaderWriter {
  /** Call it in the order in which the blocks are sent. */
  write(headers: Headers): Promise<Buffer>
  close(): void
}

/** Reads the header blocks of one direction. */
export interface HeaderReader {
  /** Call it in the order in which the blocks came, one after the other. Rejects with `SpdyError`. */
  read(block: Uint8Array): Promise<Headers>
  close(): void
}

/** Of one block, decompressed. A few bytes could become gigabytes otherwise. */
const LIMIT_BYTES = 64 * 1024

export function createHeaderWriter(): HeaderWriter {
  const deflate = createDeflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH })
  deflate.on('error', () => {})
  return {
    async write(headers) {
      const chunks: Buffer[] = []
      const collect = (chunk: Buffer): void => void chunks.push(chunk)
      deflate.on('data', collect)
      await new Promise<void>((resolve, reject) =>
        deflate.write(listBytes(headers), (error) => (!error ? resolve() : reject(error))),
      )
      deflate.off('data', collect)
      return Buffer.concat(chunks)
    },
    close: () => deflate.destroy(),
  }
}

export function createHeaderReader(): HeaderReader {
  const inflate = createInflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH })
  inflate.on('error', () => {})
  return {
    async read(block) {
      const chunks: Buffer[] = []
      let bytes = 0
      const text = await new Promise<Buffer>((resolve, reject) => {
        const fail = (cause: Error): void =>
          reject(new SpdyError(`the headers cannot be decompressed: ${cause.message}`, { cause }))
        const collect = (chunk: Buffer): void => {
          bytes += chunk.length
          if (bytes <= LIMIT_BYTES) chunks.push(chunk)
          else inflate.destroy(new Error(`expected at most ${LIMIT_BYTES} bytes, found more`))
        }
        inflate.once('error', fail)
        inflate.on('data', collect)
        inflate.write(block, (error) => {
          inflate.off('data', collect)
          // a failure tells itself by its event
          if (error || inflate.destroyed) return
          inflate.off('error', fail)
          resolve(Buffer.concat(chunks))
        })
      })
      return listOf(text)
    },
    close: () => inflate.destroy(),
  }
}

/** Number of pairs, then name and value of each with their lengths (SPDY/3.1 §2.6.10). */
function listBytes(headers: Headers): Buffer {
  const parts: Buffer[] = [numberBytes(headers.size)]
  for (const pair of headers) {
    for (const text of pair) {
      const bytes = Buffer.from(text, 'latin1')
      parts.push(numberBytes(bytes.length), bytes)
    }
  }
  return Buffer.concat(parts)
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function listOf(bytes: Buffer): Headers {
  let at = 0
  const number = (): number => {
    if (at + 4 > bytes.length) throw new SpdyError('the headers end too early')
    at += 4
    return bytes.readUInt32BE(at - 4)
  }
  const text = (): string => {
    const length = number()
    if (length > bytes.length - at) throw new SpdyError('the headers end too early')
    at += length
    return bytes.toString('latin1', at - length, at)
  }
  const headers = new Map<string, string>()
  for (let left = number(); left > 0; left--) {
    const name = text().toLowerCase()
    headers.set(name, text())
  }
  return headers
}

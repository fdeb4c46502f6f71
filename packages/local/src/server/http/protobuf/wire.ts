/** One field of a message as it stands on the wire. */
export interface WireField {
  readonly number: number
  /** A varint, or the bytes of a length-delimited or fixed field. */
  readonly value: bigint | Uint8Array
}

/** Bytes that are no message. */
export class WireError extends Error {}

/** The fields of a protobuf message, in order. Throws `WireError`. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  const reader = new Reader(bytes)
  while (!reader.done) {
    const key = reader.varint()
    const number = Number(key >> 3n)
    if (number === 0) throw new WireError('a field has the number 0')
    yield { number, value: payloadOf(reader, Number(key & 7n)) }
  }
}

function payloadOf(reader: Reader, type: number): bigint | Uint8Array {
  switch (type) {
    case 0:
      return reader.varint()
    case 1:
      return reader.take(8)
    case 2:
      return reader.take(Number(reader.varint()))
    case 5:
      return reader.take(4)
    default:
      throw new WireError(`a field has the wire type ${type}`)
  }
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    let result = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new WireError('the message ends inside a number')
      result |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, result)
    }
    throw new WireError('a number is longer than ten bytes')
  }

  take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new WireError('the message ends inside a field')
    const part = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }
}

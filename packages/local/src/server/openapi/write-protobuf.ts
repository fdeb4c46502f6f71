/** A field of a message as it stands on the wire. */
export type ProtobufField = Uint8Array

/** A text. */
export function text(number: number, value: string): ProtobufField {
  return delimited(number, Buffer.from(value))
}

/** A message in a message. */
export function message(number: number, fields: readonly ProtobufField[]): ProtobufField {
  return delimited(number, Buffer.concat(fields))
}

/** An entry of a map that is written as a list: its name, then its value. */
export function named(number: number, name: string, value: readonly ProtobufField[]): ProtobufField {
  return message(number, [text(1, name), message(2, value)])
}

const LENGTH_DELIMITED = 2

function delimited(number: number, bytes: Uint8Array): ProtobufField {
  return Buffer.concat([varint(number * 8 + LENGTH_DELIMITED), varint(bytes.length), bytes])
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.from([...bytes, rest])
}

/** Encodings of ASN.1 values (DER), as far as a certificate needs them. */

/** A value of a tag: what it holds, one after the other. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

/** A list of values. */
export function sequence(...values: readonly Uint8Array[]): Buffer {
  return der(0x30, ...values)
}

/** An object identifier in dotted form: `2.5.4.3`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A whole number that is not negative, from its bytes, the most significant first. */
export function unsigned(bytes: Uint8Array): Buffer {
  const from = bytes.findIndex((byte) => byte !== 0)
  const digits = from === -1 ? Buffer.of(0) : bytes.subarray(from)
  return der(0x02, ...((digits[0] ?? 0) >= 0x80 ? [Buffer.of(0)] : []), digits)
}

/** Whole bytes as a string of bits. */
export function bitString(bytes: Uint8Array): Buffer {
  return der(0x03, Buffer.of(0), bytes)
}

/** A time in whole seconds, in the form that certificates want for its year. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes: number[] = []
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

/** Seven bits a byte; all but the last say that there are more. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

import { badRequest, unsupportedMediaType } from '../../failures.ts'
import { MESSAGES, type Message, type MessageField } from './messages.ts'
import { readFields, WireError, type WireField } from './wire.ts'

const MAGIC = [0x6b, 0x38, 0x73, 0x00]
/** Messages inside messages; deeper ones are an attack. */
const MAX_DEPTH = 32

/**
 * An object in the envelope of Kubernetes' protobuf encoding as the JSON that means the same. Only the kinds of
 * `MESSAGES` are known. Throws `ApiFailure`: 400 for bytes that are no such message, 415 for kinds and fields that this
 * server reads as JSON only.
 */
export function decodeProtobuf(bytes: Uint8Array): object {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    throw badRequest('the object provided is unrecognized: the body is no protobuf of Kubernetes (k8s\\0 is missing)')
  }
  try {
    return unwrap(bytes.subarray(MAGIC.length))
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw badRequest(`the object provided is unrecognized: the protobuf message is broken: ${error.message}`, error)
  }
}

function unwrap(envelope: Uint8Array): object {
  let apiVersion = ''
  let kind = ''
  let raw: Uint8Array = new Uint8Array()
  for (const { number, value } of readFields(envelope)) {
    if (typeof value === 'bigint') continue
    if (number === 2) raw = value
    if (number !== 1) continue
    for (const field of readFields(value)) {
      if (field.number === 1) apiVersion = textOf(field.value)
      if (field.number === 2) kind = textOf(field.value)
    }
  }
  const message = Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind] : undefined
  if (message === undefined) throw unknown(kind === '' ? 'an object without a kind' : kind)
  return { apiVersion, kind, ...objectOf(raw, message, kind, 0) }
}

function objectOf(bytes: Uint8Array, message: Message, path: string, depth: number): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new WireError('messages are nested too deeply')
  const result: Record<string, unknown> = {}
  for (const found of readFields(bytes)) {
    const field = message[found.number]
    if (field === undefined) {
      if (!isEmpty(found)) throw unknown(`field ${found.number} of ${path}`)
      continue
    }
    add(result, field, found, `${path}.${field.name}`, depth)
  }
  return result
}

function add(
  result: Record<string, unknown>,
  field: MessageField,
  { value }: WireField,
  path: string,
  depth: number,
): void {
  const { name, type, repeated } = field
  if (repeated === 'map') {
    const [key, entry] = entryOf(value, type, path, depth)
    result[name] = { ...(result[name] as object | undefined), [key]: entry }
  } else if (repeated === 'list') {
    const items = (result[name] as unknown[] | undefined) ?? []
    items.push(jsonOf(value, type, path, depth))
    result[name] = items
  } else {
    const decoded = jsonOf(value, type, path, depth)
    // Go writes out what is empty
    if (decoded !== '' && decoded !== false) result[name] = decoded
  }
}

function entryOf(
  value: WireField['value'],
  type: MessageField['type'],
  path: string,
  depth: number,
): [string, unknown] {
  let key = ''
  let entry: unknown = ''
  for (const part of readFields(bytesOf(value))) {
    if (part.number === 1) key = textOf(part.value)
    if (part.number === 2) entry = jsonOf(part.value, type, path, depth)
  }
  return [key, entry]
}

function jsonOf(value: WireField['value'], type: MessageField['type'], path: string, depth: number): unknown {
  switch (type) {
    case 'string':
      return textOf(value)
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64')
    case 'int':
      return Number(BigInt.asIntN(64, numberOf(value)))
    case 'bool':
      return numberOf(value) !== 0n
    default:
      return objectOf(bytesOf(value), type, path, depth + 1)
  }
}

/** Go writes out messages without content, also inside one another. */
function isEmpty({ value }: WireField): boolean {
  if (typeof value === 'bigint') return value === 0n
  try {
    return [...readFields(value)].every(isEmpty)
  } catch {
    return false
  }
}

function numberOf(value: WireField['value']): bigint {
  if (typeof value === 'bigint') return value
  throw new WireError('a number was expected where bytes are')
}

function bytesOf(value: WireField['value']): Uint8Array {
  if (typeof value !== 'bigint') return value
  throw new WireError('bytes were expected where a number is')
}

function textOf(value: WireField['value']): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(value))
  } catch (cause) {
    throw cause instanceof WireError ? cause : new WireError('a text is not UTF-8', { cause })
  }
}

function unknown(what: string): Error {
  return unsupportedMediaType(['application/json', 'application/yaml'], `${what} is read as JSON only`)
}

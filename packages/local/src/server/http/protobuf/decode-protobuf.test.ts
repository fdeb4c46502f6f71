import { assert, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../api-failure.ts'
import { decodeProtobuf } from './decode-protobuf.ts'

/** A length-delimited field. */
function field(number: number, content: string | readonly number[]): number[] {
  const bytes = typeof content === 'string' ? [...Buffer.from(content)] : [...content]
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]
}

function integer(number: number, value: number): number[] {
  return [...varint(number << 3), ...varint(value)]
}

function envelope(apiVersion: string, kind: string, raw: readonly number[]): Uint8Array {
  return Uint8Array.from([
    ...Buffer.from('k8s\0'),
    ...field(1, [...field(1, apiVersion), ...field(2, kind)]),
    ...field(2, raw),
    ...field(3, ''),
    ...field(4, ''),
  ])
}

const NAME = field(1, [...field(1, 'a'), ...field(2, ''), ...field(8, '')])

describe('protobuf bodies', () => {
  it('reads maps, texts and bytes', () => {
    const data = field(2, [...field(1, 'k'), ...field(2, 'v')])
    const secret = field(2, [...field(1, 'k'), ...field(2, [0, 255])])
    expect(decodeProtobuf(envelope('v1', 'ConfigMap', [...NAME, ...data]))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { k: 'v' },
    })
    expect(decodeProtobuf(envelope('v1', 'Secret', [...NAME, ...secret, ...field(3, 'Opaque')]))).toMatchObject({
      data: { k: 'AP8=' },
      type: 'Opaque',
    })
  })

  it('reads numbers, lists and messages in messages', () => {
    const spec = field(2, [...field(1, 'x'), ...field(1, 'y'), ...integer(4, 3600)])
    expect(decodeProtobuf(envelope('authentication.k8s.io/v1', 'TokenRequest', spec))).toMatchObject({
      spec: { audiences: ['x', 'y'], expirationSeconds: 3600 },
    })
  })

  it('lets pass what is empty, however deep, and refuses what it would lose', () => {
    const empty = field(3, field(1, [...field(2, ''), ...integer(3, 0)]))
    expect(decodeProtobuf(envelope('v1', 'Namespace', [...NAME, ...empty]))).toMatchObject({ metadata: { name: 'a' } })
    const lost = envelope('v1', 'Namespace', [...NAME, ...field(3, field(1, 'Active'))])
    expect(() => decodeProtobuf(lost)).toThrow('field 3 of Namespace is read as JSON only')
    expect(() => decodeProtobuf(envelope('apps/v1', 'Deployment', []))).toThrow('Deployment is read as JSON only')
    expect(() => decodeProtobuf(envelope('v1', 'toString', []))).toThrow('toString is read as JSON only')
  })

  it('answers 400 or 415 to any bytes', () => {
    const check = (bytes: Uint8Array) => {
      try {
        decodeProtobuf(bytes)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        expect([400, 415]).toContain(error.httpCode)
      }
    }
    assert(property(uint8Array({ maxLength: 60 }), check))
    assert(property(uint8Array({ maxLength: 60 }), (bytes) => check(Uint8Array.from([0x6b, 0x38, 0x73, 0, ...bytes]))))
    assert(property(uint8Array({ maxLength: 60 }), (bytes) => check(envelope('batch/v1', 'Job', [...bytes]))))
  })
})

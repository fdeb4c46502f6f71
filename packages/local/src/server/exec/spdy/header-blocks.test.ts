import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DICTIONARY } from './dictionary.ts'
import { createHeaderReader, createHeaderWriter } from './header-blocks.ts'

const name = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-'), minLength: 1, maxLength: 12 })
const value = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text).toString('latin1'))
const headers = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key }).map((pairs) => new Map(pairs))

describe('header blocks', () => {
  it('are read as they were written, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(headers, { minLength: 1, maxLength: 6 }), async (lists) => {
        const writer = createHeaderWriter()
        const reader = createHeaderReader()
        for (const list of lists) expect(await reader.read(await writer.write(list))).toEqual(list)
        writer.close()
        reader.close()
      }),
    )
  })

  it('begin with the checksum of the dictionary that everybody knows', async () => {
    const writer = createHeaderWriter()
    const block = await writer.write(new Map([['streamtype', 'data']]))
    writer.close()
    expect(block.subarray(2, 6).toString('hex')).toBe('e3c6a7c2')
  })

  it.each([
    ['no compressed bytes', Buffer.from('nonsense')],
    ['a pair that is cut off', deflateSync(Buffer.from([0, 0, 0, 1, 0, 0, 0, 9, 1]), { dictionary: DICTIONARY })],
    ['more than anybody needs', deflateSync(Buffer.alloc(10_000_000), { dictionary: DICTIONARY })],
  ])('refuse %s', async (_, block) => {
    const reader = createHeaderReader()
    await expect(reader.read(block)).rejects.toMatchObject({ name: 'SpdyError' })
    reader.close()
  })
})

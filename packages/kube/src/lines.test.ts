import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lines } from './lines.ts'

async function collect(chunks: Iterable<Uint8Array>, maxBytes?: number): Promise<string[]> {
  const seen: string[] = []
  async function* source() {
    yield* chunks
  }
  for await (const line of lines(source(), maxBytes)) seen.push(line)
  return seen
}

test('lines come whole, however their bytes were cut', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\n'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.array(fc.nat(40), { minLength: 1 }),
      fc.boolean(),
      async (texts, cuts, ended) => {
        const bytes = Buffer.from(texts.join('\n') + (ended && texts.length > 0 ? '\n' : ''))
        const chunks: Uint8Array[] = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = (cuts[i % cuts.length] ?? 0) + 1
          chunks.push(new Uint8Array(bytes.subarray(at, at + size)))
          at += size
        }
        const expected = ended || texts.at(-1) !== '' ? texts : texts.slice(0, -1)
        expect(await collect(chunks)).toEqual(expected)
      },
    ),
  )
})

test('a last line without an end is given, an empty one is not', async () => {
  expect(await collect([Buffer.from('a\n\nb')])).toEqual(['a', '', 'b'])
  expect(await collect([Buffer.from('a\n')])).toEqual(['a'])
  expect(await collect([])).toEqual([])
})

test('a line without end comes in parts', async () => {
  const chunk = Buffer.alloc(100, 'x')
  expect((await collect([chunk, chunk, chunk, Buffer.from('y\nz')], 150)).map((line) => line.length)).toEqual([
    200, 101, 1,
  ])
})

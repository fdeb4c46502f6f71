import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitYaml } from './split-yaml.ts'

describe('splitting a YAML stream', () => {
  it('cuts at each line that begins with ---', () => {
    expect(splitYaml('a\n---\nb\n--- # comment\nc').chunks).toEqual([
      { text: 'a\n', line: 1 },
      { text: 'b\n', line: 3 },
      { text: 'c', line: 5 },
    ])
  })

  it('does not cut elsewhere', () => {
    expect(splitYaml('a: |\n  ---\n  x\nb: ---\n').chunks).toHaveLength(1)
  })

  it('takes Windows line ends', () => {
    expect(splitYaml('a: 1\r\n---\r\nb: 2\r\n')).toMatchObject({ chunks: [{ line: 1 }, { line: 3 }], faults: [] })
  })

  it('reports what follows a separator on its line', () => {
    expect(splitYaml('---\na: 1\n--- b: 2\n').faults).toEqual([{ line: 3, message: expect.stringContaining('b: 2') }])
  })

  it('loses nothing but the separators', () => {
    const line = fc.constantFrom('a: 1', '---', '', '# x', '  ---', '----')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { chunks } = splitYaml(lines.join('\n'))
        for (const { text, line: first } of chunks) {
          const body = text.replace(/\n$/, '').split('\n')
          expect(lines.slice(first - 1, first - 1 + body.length)).toEqual(body)
        }
        const kept = chunks.flatMap(({ text }) => text.split('\n')).filter((l) => l !== '')
        expect(kept).toEqual(lines.filter((l) => l !== '' && !l.startsWith('---')))
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesPattern, selectFiles } from './file-pattern.ts'

describe('matchesPattern', () => {
  it.each([
    ['a.bin', '*.bin', true],
    ['deep/er/a.bin', '*.bin', true],
    ['a.binary', '*.bin', false],
    ['a.b', 'a?b', true],
    ['a/b', 'a?b', true],
    ['a1', 'a[0-9]', true],
    ['ax', 'a[!0-9]', true],
    ['a]', 'a[]]', true],
    ['a[', 'a[', true],
    ['a+b(c)', 'a+b(c)', true],
    ['data/x/y', 'data/', true],
    ['data', 'data/', false],
    ['az', 'a[z-a]', false],
    ['A.BIN', '*.bin', false],
  ])('%s is matched by %s: %s', (path, pattern, expected) => {
    expect(matchesPattern(path, pattern)).toBe(expected)
  })

  it('takes any text for a pattern, and answers soon', () => {
    const sign = fc.constantFrom('*', '?', '[', ']', '!', '^', '\\', '-', 'a', 'b', '/', '.', '(')
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), fc.array(sign, { maxLength: 12 }), (path, pattern) => {
        expect(typeof matchesPattern(path.join(''), pattern.join(''))).toBe('boolean')
      }),
    )
  })

  it('matches every path by itself when nothing in it is special', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[*?[]|\/$/.test(text)),
        (text) => {
          expect(matchesPattern(text, text)).toBe(true)
        },
      ),
    )
  })
})

it('selects what is allowed and not ignored', () => {
  const files = ['a.json', 'b.bin', 'c.txt'].map((path) => ({ path }))
  const paths = (ignore: string[], allow?: string[]) => selectFiles(files, ignore, allow).map(({ path }) => path)
  expect(paths([])).toEqual(['a.json', 'b.bin', 'c.txt'])
  expect(paths(['*.bin'])).toEqual(['a.json', 'c.txt'])
  expect(paths(['a*'], ['*.json', '*.txt'])).toEqual(['c.txt'])
})

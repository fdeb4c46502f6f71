import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from './read-json.ts'
import { splitJson } from './split-json.ts'

function readAll(text: string) {
  return splitJson(text).map((chunk) => readJson(chunk))
}

/** Every path of a value with the line it has when the value is written with an indentation. */
function linesOf(value: unknown): Map<string, number> {
  const lines = new Map<string, number>()
  let line = 1
  const visit = (at: unknown, path: (string | number)[]): void => {
    lines.set(JSON.stringify(path), line)
    if (typeof at !== 'object' || at === null) return
    const children = Array.isArray(at) ? at.map((item, i) => [i, item] as const) : Object.entries(at)
    for (const [key, child] of children) {
      line++
      visit(child, [...path, key])
    }
    if (children.length > 0) line++
  }
  visit(value, [])
  return lines
}

describe('reading JSON', () => {
  it('takes values one after the other', () => {
    expect(readAll('{"a": 1}\n{"b": "}{"} {"c": [{}]}').map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: '}{' },
      { c: [{}] },
    ])
  })

  it('knows the line of every value, wherever it begins', () => {
    const [first, second] = readAll('{"a": 1}\n\n{\n  "b": {\n    "c": 2\n  }\n}')
    expect(first?.positions.lineOf('a')).toBe(1)
    expect(second?.positions.lineOf('b.c')).toBe(5)
  })

  it('notices a key that stands twice', () => {
    const [document] = readAll('{\n  "a": 1,\n  "a": 2\n}')
    expect(document?.faults).toMatchObject([{ code: 'duplicate-key', line: 3 }])
  })

  it('takes comments and a comma too many, as kubectl does', () => {
    expect(readAll('{"a": [1, 2,], # two\n}')[0]).toMatchObject({ value: { a: [1, 2] }, faults: [] })
  })

  it('reports what is neither JSON nor YAML', () => {
    expect(readAll('{"a": 1,\n "b" 2}')[0]?.faults).toMatchObject([{ code: 'yaml-syntax', line: 2 }])
    expect(readAll('{"a": {"b": 1}')[0]?.faults).toMatchObject([{ code: 'yaml-syntax' }])
  })

  it('refuses nesting without end', () => {
    const deep = `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect(readAll(`{}\n${deep}`).map(({ faults }) => faults.map(({ line }) => line))).toEqual([[], [2]])
  })

  it('finds every line of every document', () => {
    const key = fc.stringMatching(/^[a-z]{1,5}$/)
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(
        fc.dictionary(key, tree, { minKeys: 1, noNullPrototype: true }),
        fc.constantFrom(' ', '\t'),
        (value, indent) => {
          const [document] = readAll(JSON.stringify(value, null, indent))
          expect(document?.value).toEqual(value)
          // the object itself begins where its first key stands, so it is left out
          for (const [path, line] of linesOf(value)) {
            if (path !== '[]') expect(document?.positions.lineOf(JSON.parse(path))).toBe(line)
          }
        },
      ),
    )
  })
})

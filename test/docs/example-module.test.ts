import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleModule, type Origin } from './example-module.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { sourceExamples } from './source-examples.ts'

const KNOWN: ReadonlyMap<string, Origin> = new Map([
  ['client', { module: 'scope', isType: false }],
  ['state', { module: 'sdk', isType: false }],
  ['TrainJob', { module: 'api', isType: true }],
])

function moduleOf(code: string): { header: string; body: string } {
  const [header = '', ...lines] = exampleModule(code, (name) => KNOWN.get(name)).split('\n')
  return { header, body: lines.join('\n').replace(/\nexport \{\}\n$/, '') }
}

describe('the module of an example', () => {
  it.each<[string, string, string]>([
    ['an expression', 'f(1) // => 2', ';$equals((f(1)), (2))'],
    ['a variable', 'const a = f() // => { b: 1 }', 'const a = f(); $equals(a, ({ b: 1 }))'],
    ['some fields', "f() // => { kind: 'Pod', … }", ";$matches((f()), ({ kind: 'Pod' }))"],
    ['an error', 'f() // throws usage', 'await $throws(async () => { f() }, "usage")'],
    ['an error that is thrown here', "throw e // throws it's", 'await $throws(async () => { throw e }, "it\'s")'],
    [
      'output',
      'for (const a of b) log(a) // prints 1, 2',
      'await $prints(async () => { for (const a of b) log(a) }, "1, 2")',
    ],
    ['statements in blocks', 'if (a) {\n  f() // => 1\n}', 'if (a) {\n  ;$equals((f()), (1))\n}'],
    ['nothing else', "f() // why: see 'x => y'", "f() // why: see 'x => y'"],
  ])('checks %s', (_, code, expected) => {
    expect(moduleOf(code).body).toBe(expected)
  })

  it('checks values that go on below, and keeps the number of lines', () => {
    expect(moduleOf('f()\n// => {\n//   a: 1,\n// }\ng()').body).toBe(';$equals((f()), ({ a: 1, }))\n\n\n\ng()')
  })

  it('refuses a value behind anything else', () => {
    expect(() => moduleOf('const { a } = f() // => 1')).toThrow('has to follow an expression')
  })

  it.each<[string, string, string]>([
    [
      'names it does not declare',
      'client.get(state(b))',
      "import { client } from 'scope'; import { state } from 'sdk'",
    ],
    ['types as types', 'const a: TrainJob = b', "import { type TrainJob } from 'api'"],
    ['no names of its own', "const { state } = run\nimport { client } from 'x'\nstate", ''],
    ['no parameters', '(state) => state', ''],
    ['no members', 'a.state; const b = { state: 1 }', ''],
    ['the checks it uses', 'f() // => 1', "import { $equals } from '../checks.ts'"],
  ])('imports %s', (_, code, header) => {
    expect(moduleOf(code).header).toBe(header)
  })
})

describe('examples of a source', () => {
  const source = `const one = 1

/**
 * Adds.
 *
 * @example
 * add(1, 2) // => 3
 *
 * add(2, 2) // => 4
 * @throws nothing
 */
export async function add(a: number, b: number) {}

/** @example-like text is none. */
export const two = 2
`
  it('end at the next tag, and know their line and name', () => {
    expect(sourceExamples('add.ts', source)).toEqual([
      { title: 'add', file: 'add.ts', line: 7, code: 'add(1, 2) // => 3\n\nadd(2, 2) // => 4', ownNames: true },
    ])
  })
})

describe('blocks of a document', () => {
  it('know their language, heading and line', () => {
    const markdown = '# A\n\n```ts\na\n```\n\n## B\n````md\n```ts\nb\n```\n````\n```\nc\n'
    expect(fencedBlocks(markdown)).toEqual([
      { language: 'ts', heading: 'A', line: 4, text: 'a' },
      { language: 'md', heading: 'B', line: 9, text: '```ts\nb\n```' },
      { language: '', heading: 'B', line: 14, text: 'c\n' },
    ])
  })

  it('are found wherever they stand, unchanged', () => {
    const prose = fc.array(fc.constantFrom('', 'text', '# Heading', '- item'), { maxLength: 4 })
    const code = fc.array(fc.constantFrom('', 'a()', '  b', '# no heading', '`span`'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, code)), (parts) => {
        const lines = parts.flatMap(([before, block]) => [...before, '```ts', ...block, '```'])
        const found = fencedBlocks(lines.join('\n'))
        expect(found.map(({ text }) => text)).toEqual(parts.map(([, block]) => block.join('\n')))
        for (const { line, text } of found) expect(lines[line - 1]).toBe(text.split('\n')[0])
      }),
    )
  })
})

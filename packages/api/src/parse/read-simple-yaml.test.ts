import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { FieldPath } from '../field-path.ts'
import { readSimpleYaml } from './read-simple-yaml.ts'
import { readYaml } from './read-yaml.ts'

function pathsIn(value: unknown, path: FieldPath = []): FieldPath[] {
  if (typeof value !== 'object' || value === null) return []
  const parts = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return parts.flatMap((part) => {
    const below = [...path, part]
    return [below, ...pathsIn((value as Record<string | number, unknown>)[part], below)]
  })
}

/** Both readers where the simple one answers. */
function agree(text: string): boolean {
  const simple = readSimpleYaml(text)
  if (simple === undefined) return false
  const { value, faults, positions } = readYaml(text)
  expect({ text, faults }).toEqual({ text, faults: [] })
  expect({ text, value: simple.value }).toEqual({ text, value })
  for (const path of [[], ...pathsIn(value), ['not', 'there']]) {
    expect({ text, path, line: simple.lineOf(path) + 1 }).toEqual({ text, path, line: positions.lineOf(path) })
  }
  return true
}

const MANIFEST = `# a job
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: a   # its name
  labels: {}
  annotations:
    note: |
      one
        two

      three
    other: |-
      #four
spec:
  trainer:
    command: ["torchrun", '/x/y.py', --lr=0.1, 10]
    args: []
    env:
    - name: A
      value: "a \\"b\\" \\\\ c"
    - name: B
      value: 'it''s'

    -   name: C
        value: yes
    resourcesPerNode:
      limits:
        nvidia.com/gpu: 2
        cpu: 0x10
        memory: 1_000
  suspend:
`

describe('the reader of simple documents', () => {
  it('reads a manifest as the other one', () => {
    expect(agree(MANIFEST)).toBe(true)
  })

  it.each([
    'a: 0644\nb: 1e3\nc: ~\nd: Null\ne: on\nf: 12:30\ng: 2026-01-01\nh: -.5\ni: 0b11\nj: 0o7\nk: 1__0\nl: .5_0\nm: +1\n',
    'a:\n- b\n- c\nd: e\n',
    'a:\n  - b\n  -\n  - c: d\n    e:\n    - f\n',
    'a: b#c\nd: e #f\ng: "h" # i\nj: \'k\' # l\nm: # n\n  o: p\n',
    'a: b\n\n\n# c\n  # d\ne: f',
    'a: http://x:80/y?z=1&w=2\nb: s3://c/d\ne: -x\nf: ?y\ng: :z\nh: a,b [c] {d}\n',
    'a: [a b, c]\nb: [ "x" ]\nc: [1, 0x1f, no]\n',
    'a: ü\nb: 日本\n',
  ])('reads %j as the other one', (text) => {
    expect(agree(text)).toBe(true)
  })

  it.each([
    'y: 1\n',
    'null: 1\n',
    'a: 1\na: 2\n',
    'a: &x 1\nb: *x\n',
    'a: !!str 1\n',
    'a:\n  b\n',
    'a: b\n  c\n',
    'a: "b\n  c"\n',
    'a: >\n  b\n',
    'a: |2\n   b\n',
    'a: |+\n  b\n',
    'a: |\n  b',
    'a: |\n\n  b\n',
    'a: {b: c}\n',
    'a: [b, [c]]\n',
    '? a\n: b\n',
    '"a": b\n',
    '<<: {a: b}\n',
    'a: b: c\n',
    'a: .inf\n',
    'a:\tb\n',
    'a: b\r\n',
    '- a\n',
    '- - a\n',
    'a\n',
    '',
    ' a: b\nc: d\n',
    'a:\n    b: c\n  d: e\n',
    'a: @b\n',
    'a: "\\x41"\n',
    '__proto__: 1\n',
    '...\n',
    '%YAML 1.1\n',
    'a: 😀\n',
    'a:\n- - b\n',
  ])('leaves %j to the other one', (text) => {
    expect(readSimpleYaml(text)).toBeUndefined()
  })

  const word = fc.constantFrom(
    'a',
    'yes',
    'no',
    'off',
    'y',
    'null',
    '~',
    '0644',
    '0x1f',
    '1_000',
    '1e3',
    '-1',
    '.5',
    '.inf',
    '2026-01-01',
    '12:30',
    'a b',
    'a: b',
    'a #b',
    "it's",
    '"q"',
    '- x',
    '{}',
    '[]',
    '|',
    '',
    ' ',
    'x\ny',
    'x\n',
    '\nx',
    'nvidia.com/gpu',
    '*',
    '&a',
    '!t',
    '%x',
    '@x',
    '`x',
    '?',
    ':',
    'a:',
    '#',
    'ü',
  )
  const key = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('a', 'b-c', 'nvidia.com/gpu', 'd_e', 'f') },
    { weight: 1, arbitrary: fc.constantFrom('y', 'on', 'null', '1', 'a b', '<<', '') },
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(
        word,
        word,
        fc.string({ maxLength: 5 }),
        fc.integer(),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }))
  const written = fc
    .tuple(
      fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }),
      fc.constantFrom(2, 4),
      fc.boolean(),
      fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL') as fc.Arbitrary<'PLAIN'>,
    )
    .map(([object, indent, indentSeq, defaultStringType]) =>
      stringify(object, { version: '1.1', indent, indentSeq, defaultStringType, lineWidth: 0 }),
    )

  it('agrees with the other one about whatever a program writes', () => {
    let answered = 0
    fc.assert(
      fc.property(written, (text) => void (agree(text) && answered++)),
      { numRuns: 500 },
    )
    expect(answered).toBeGreaterThan(20)
  })

  it('agrees with the other one about texts with slips of the pen', () => {
    const slip = fc.tuple(
      fc.nat(),
      fc.constantFrom(
        '',
        ' ',
        '  ',
        '\n',
        ':',
        ': ',
        '- ',
        '#',
        ' #',
        '"',
        "'",
        '|',
        '[',
        ']',
        '{',
        '&',
        '*',
        'a',
        ',',
      ),
      fc.nat(2),
    )
    const base = fc.oneof(fc.constant(MANIFEST), written)
    let answered = 0
    fc.assert(
      fc.property(base, fc.array(slip, { minLength: 1, maxLength: 3 }), (text, slips) => {
        const slipped = slips.reduce((before, [at, insert, cut]) => {
          const start = at % (before.length + 1)
          return before.slice(0, start) + insert + before.slice(start + cut)
        }, text)
        if (agree(slipped)) answered++
      }),
      { numRuns: 1000 },
    )
    expect(answered).toBeGreaterThan(50)
  })
})

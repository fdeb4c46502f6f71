import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readYaml } from './read-yaml.ts'

/** Value and faults of a document, without its positions. */
function read(text: string) {
  const { value, faults } = readYaml(text)
  return { value, faults: faults.map(({ code, line }) => `${line} ${code}`) }
}

describe('reading YAML', () => {
  it('unfolds anchors, aliases and merges', () => {
    const text =
      'base: &base {cpu: 1, memory: 2}\nother: &other {cpu: 3, gpu: 4}\njob:\n  <<: [*base, *other]\n  memory: 5\nagain: *base\n'
    expect(read(text)).toEqual({
      value: {
        base: { cpu: 1, memory: 2 },
        other: { cpu: 3, gpu: 4 },
        job: { cpu: 1, memory: 5, gpu: 4 },
        again: { cpu: 1, memory: 2 },
      },
      faults: [],
    })
  })

  it('makes texts of keys', () => {
    expect(read('1: a\n0x10: b\non: c\n"yes": d\n').value).toEqual({ 1: 'a', 16: 'b', true: 'c', yes: 'd' })
  })

  it('obeys tags and quotes', () => {
    expect(read(`a: !!str 12\nb: !!int "12"\nc: '12'\nd: !!float 3\ne: !mine x\n`).value).toEqual({
      a: '12',
      b: 12,
      c: '12',
      d: 3,
      e: 'x',
    })
  })

  it('keeps a key that JavaScript would take for the prototype', () => {
    const { value } = readYaml('__proto__: {polluted: true}\n')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each<[string, string, string[]]>([
    ['a quote that is not closed', 'a: 1\nb: "x\n', ['2 yaml-syntax']],
    ['a tab as indentation', 'a:\n\tb: 1\n', ['2 yaml-syntax']],
    ['a mapping inside a plain text', 'a: b: c\n', ['1 yaml-syntax']],
    ['a list that is not closed', 'a: [1, 2\n', ['1 yaml-syntax']],
    ['a key twice, each time', 'a: 1\nb: 2\na: 3\na: 4\n', ['3 duplicate-key', '4 duplicate-key']],
    ['an alias without anchor', 'a: *nothing\n', ['1 yaml-alias']],
    ['an alias inside itself', 'a: &a\n  - *a\n', ['2 yaml-alias']],
    ['an infinite number', 'a: 1\nb: .inf\n', ['2 yaml-syntax']],
    ['a tag that does not fit', 'a: !!int x\n', ['1 yaml-syntax']],
    ['a key that is a list', '[a]: 1\n', ['1 yaml-syntax']],
    ['a key that is nothing', 'null: 1\n', ['1 yaml-syntax']],
    ['a merge of a text', 'a:\n  <<: x\n', ['2 yaml-syntax']],
    ['a second document', 'a: 1\n...\nb: 2\n', ['3 yaml-syntax']],
  ])('reports %s with its line', (_, text, faults) => {
    expect(read(text).faults).toEqual(faults)
  })

  it('counts lines from where the text begins', () => {
    const { positions, faults } = readYaml('a: 1\nb: {c: 2}\nb: 3\n', 11)
    expect(positions.lineOf('b')).toBe(13)
    expect(faults.map(({ line }) => line)).toEqual([13])
  })

  it('caps what aliases unfold into', () => {
    const text = `a: &a [x, x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h']
      .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[i]}`).join(', ')}]`)
      .join('\n')}\n`
    expect(read(text).faults).toEqual([expect.stringContaining('yaml-alias')])
  })

  it('refuses nesting without end instead of running out of stack', () => {
    expect(read('['.repeat(5_000)).faults).toEqual(['1 yaml-syntax'])
    expect(read(`a: ${'['.repeat(600)}${']'.repeat(600)}`).faults).toEqual(['1 yaml-syntax'])
    expect(read(`a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`).faults).toEqual(['1 yaml-syntax'])
    expect(read(`a: ${'['.repeat(400)}${']'.repeat(400)}`).faults).toEqual([])
  })

  it('finds the line of a field, or of the nearest part that is there', () => {
    const text =
      '# job\n\nspec:\n  trainer:\n    # many\n    env:\n      - name: A\n        value: b\n      -\n        name: B\n    image: >-\n      x\n'
    const { positions } = readYaml(text)
    const lines = [
      '',
      'spec',
      'spec.trainer.env',
      'spec.trainer.env[0].value',
      'spec.trainer.env[1].name',
      'spec.trainer.image',
      'spec.trainer.env[1].value',
      'spec.runtimeRef',
      'spec.trainer.env[7].name',
    ]
    expect(lines.map((path) => positions.lineOf(path))).toEqual([3, 3, 6, 8, 10, 11, 10, 3, 6])
  })

  it('finds the line of what an alias or a merge brought in', () => {
    const { positions } = readYaml('base: &base\n  cpu: 1\njob:\n  <<: *base\n  memory: 2\ncopy: *base\n')
    expect(['job.cpu', 'job.memory', 'copy', 'copy.cpu'].map((path) => positions.lineOf(path))).toEqual([2, 5, 6, 2])
  })

  it('reads back what was written, whatever it is', () => {
    const text = fc.string().filter((s) => !/[\u2028\u2029\u0085\ufeff]/.test(s))
    const key = fc.oneof(fc.constantFrom('yes', 'null', '1', '0x10', 'a b', 'on'), fc.stringMatching(/^[a-z]{1,5}$/))
    const leaf = fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        // everything in quotes, because the writer's idea of what needs them is that of YAML 1.2
        const written = stringify(value, {
          defaultStringType: 'QUOTE_DOUBLE',
          defaultKeyType: 'QUOTE_DOUBLE',
          aliasDuplicateObjects: false,
        })
        expect(readYaml(written)).toMatchObject({ faults: [] })
        expect(readYaml(written).value).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

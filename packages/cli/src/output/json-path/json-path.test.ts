import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CliError } from '../../cli-error.ts'
import { printCustomColumns } from '../custom-columns.ts'
import { evaluateTemplate, valuesAt } from './evaluate.ts'
import { parseJsonPath, parsePath } from './parse.ts'

const data = {
  kind: 'List',
  items: [
    {
      metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x' } },
      status: {
        conditions: [
          { type: 'Ready', status: 'True', n: 1 },
          { type: 'Failed', status: 'False', n: 2 },
        ],
      },
    },
    { metadata: { name: 'b' }, spec: { nodes: 3 } },
  ],
}

describe('JSONPath as kubectl reads it', () => {
  test.each([
    ['{.kind}', 'List'],
    ['{$.kind}', 'List'],
    ['kind={.kind}!', 'kind=List!'],
    ['{.items[*].metadata.name}', 'a b'],
    ['{.items[0].metadata.name}', 'a'],
    ['{.items[-1].metadata.name}', 'b'],
    ['{.items[0:1].metadata.name}', 'a'],
    ['{.items[0,1].metadata.name}', 'a b'],
    ["{.items[0]['metadata']['name']}", 'a'],
    ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'x'],
    ['{..name}', 'a b'],
    ['{.items[?(@.metadata.name=="b")].spec.nodes}', '3'],
    ['{.items[0].status.conditions[?(@.n>1)].type}', 'Failed'],
    ['{.items[0].status.conditions[?(@.status!="True")].type}', 'Failed'],
    ['{.items[?(@.spec)].metadata.name}', 'b'],
    ['{range .items[*]}{.metadata.name}{"\\n"}{end}', 'a\nb\n'],
    ['{.items[1].spec}', '{"nodes":3}'],
    ['{.nothing.here}', ''],
    ['', ''],
  ])('%s', (template, text) => {
    expect(evaluateTemplate(parseJsonPath(template), data)).toBe(text)
  })

  test.each(['{.a', '{range .a}', '{end}', '{.a[}', '{.a[x y]}', '{.a[?x]}'])(
    '%s is refused with an example',
    (template) => {
      expect(() => parseJsonPath(template)).toThrow(/is no JSONPath/)
    },
  )

  test('whatever is written, it is read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]().@$?*:,"\'\\abc01-=<> '), maxLength: 20 }), (text) => {
        try {
          evaluateTemplate(parseJsonPath(text), data)
        } catch (error) {
          expect(error).toBeInstanceOf(CliError)
        }
      }),
    )
  })

  test('every field can be reached by its quoted name', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/['"\\[\]{}]/.test(text) && text !== '__proto__')
    fc.assert(
      fc.property(name, name, fc.integer(), (outer, inner, value) => {
        expect(valuesAt(parsePath(`['${outer}']['${inner}']`), { [outer]: { [inner]: value } })).toEqual([value])
      }),
    )
  })
})

describe('custom columns', () => {
  test('print a table; what is missing is <none>', () => {
    expect(printCustomColumns('NAME:.metadata.name,NODES:.spec.nodes', data.items)).toBe(
      'NAME   NODES\na      <none>\nb      3\n',
    )
  })
  test('take braces, and commas inside brackets', () => {
    expect(printCustomColumns('N:{.metadata.name},C:.status.conditions[0,1].type', [data.items[0]])).toBe(
      'N   C\na   Ready,Failed\n',
    )
  })
  test.each(['NAME', ':x', 'NAME:'])('"%s" is refused', (spec) => {
    expect(() => printCustomColumns(spec, [])).toThrow(/custom-columns wants NAME:PATH/)
  })
})

import { expect, test } from 'vitest'
import { parseWarnings } from './warnings.ts'

const cases: [header: string, texts: string[]][] = [
  ['299 - "unknown field \\"spec.bogus\\""', ['unknown field "spec.bogus"']],
  ['299 - "first, with a comma", 299 - "second"', ['first, with a comma', 'second']],
  ['299 kube-apiserver "dated" "Wed, 21 Oct 2015 07:28:00 GMT", 299 - "next"', ['dated', 'next']],
  ['299 - "back\\\\slash"', ['back\\slash']],
  ['299 - ""', ['']],
  ['nonsense', []],
  ['', []],
]
for (const [header, texts] of cases) {
  test(`${header || 'an empty header'} gives ${texts.length}`, () => {
    expect(parseWarnings(header)).toEqual(texts)
  })
}

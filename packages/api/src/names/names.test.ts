import { describe, expect, it } from 'vitest'
import { dns1035LabelFault, dnsLabelFault, dnsSubdomainFault, labelValueFault, qualifiedNameFault } from './names.ts'

describe('names', () => {
  it.each<[string, (name: string) => string | undefined, string[], string[]]>([
    ['a DNS label', dnsLabelFault, ['a', '1', 'a-b', 'x'.repeat(63)], ['', '-a', 'a-', 'A', 'a.b', 'x'.repeat(64)]],
    ['a DNS subdomain', dnsSubdomainFault, ['a.b-c.1', 'x'.repeat(253)], ['', '.a', 'a..b', 'a.-b', 'x'.repeat(254)]],
    ['a DNS-1035 label', dns1035LabelFault, ['a1', 'x'.repeat(63)], ['', '1a', 'a.b', 'a_', 'x'.repeat(64)]],
    [
      'a qualified name',
      qualifiedNameFault,
      ['app', 'A_b.c', 'example.com/x', 'a/b'],
      ['', '/a', 'a/', 'a/b/c', 'Ex.com/a', '-a', 'x'.repeat(64)],
    ],
    ['a label value', labelValueFault, ['', 'A', '1.2_3-x'], ['-', 'a b', 'ä', 'x'.repeat(64)]],
  ])('tell %s from what is none', (_, fault, good, bad) => {
    for (const name of good) expect.soft(fault(name), name).toBeUndefined()
    for (const name of bad) expect.soft(fault(name), name).toMatch(/^(expected|the part before)/)
  })

  it('say how long a name may be and how long it is', () => {
    expect(dns1035LabelFault('x'.repeat(70))).toBe('expected at most 63 characters, found 70')
  })
})

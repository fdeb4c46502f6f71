import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expand } from './expand.ts'

const known = new Map([
  ['A', '1'],
  ['B', '$(A)'],
  ['EMPTY', ''],
  ['dotted.name-x', 'd'],
])

describe('expand', () => {
  it.each([
    ['nothing to do', 'plain text', 'plain text'],
    ['a known name', '$(A)', '1'],
    ['several', '$(A)/$(A)x', '1/1x'],
    ['an unknown name stays', '$(NOPE)', '$(NOPE)'],
    ['an empty value', '[$(EMPTY)]', '[]'],
    ['names with dots and dashes', '$(dotted.name-x)', 'd'],
    ['two dollars are one', '$$', '$'],
    ['escaped', '$$(A)', '$(A)'],
    ['escaped, then expanded', '$$$(A)', '$1'],
    ['four dollars are two', '$$$$(A)', '$$(A)'],
    ['the shell’s own variables stay', '$HOME $HOME_x', '$HOME $HOME_x'],
    ['opened and never closed', '$(A', '$(A'],
    ['empty name', '$()', '$()'],
    ['nested', '$($(A))', '$($(A))'],
    ['values are not expanded again', '$(B)', '$(A)'],
    ['a dollar at the end', 'x$', 'x$'],
    ['command substitution of the shell', '$(date +%s)', '$(date +%s)'],
  ])('%s: %j', (_, text, expanded) => {
    expect(expand(text, known)).toBe(expanded)
  })

  it('leaves every text without a dollar sign alone', () => {
    fc.assert(fc.property(fc.string(), (text) => expand(text.replaceAll('$', ''), known) === text.replaceAll('$', '')))
  })

  it('gives back any text whose dollar signs are doubled', () => {
    fc.assert(fc.property(fc.string(), (text) => expand(text.replaceAll('$', '$$$$'), known) === text))
  })
})

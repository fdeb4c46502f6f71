import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseEnvFile } from './env-file.ts'

it.each([
  ['A=1\nB = two words \n', { A: '1', B: 'two words' }],
  ["# no\n\n  C='it # is'  # kept out\n", { C: 'it # is' }],
  ["D='over\nlines'\nE=5", { D: 'over\nlines', E: '5' }],
  ['export F=6\r\nG=\r\n', { F: '6', G: '' }],
  ['no equals sign\n=value\nH=a=b', { H: 'a=b' }],
  ["I='never closed", { I: 'never closed' }],
  ['J=1\nJ=2', { J: '2' }],
])('reads %j', (text, expected) => {
  expect(Object.fromEntries(parseEnvFile(text))).toEqual(expected)
})

it('reads back what was written in quotes, whatever it is', () => {
  const name = fc.stringMatching(/^[A-Za-z_]\w{0,10}$/)
  const value = fc.string().filter((text) => !text.includes("'") && !text.includes('\r'))
  fc.assert(
    fc.property(fc.dictionary(name, value), (variables) => {
      const text = Object.entries(variables).map(([key, content]) => `${key}='${content}'`)
      expect(Object.fromEntries(parseEnvFile(text.join('\n')))).toEqual({ ...variables })
    }),
  )
})

it('takes any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseEnvFile(text).size >= 0))
})

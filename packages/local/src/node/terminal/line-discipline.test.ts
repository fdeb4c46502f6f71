import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLineDiscipline } from './line-discipline.ts'

function typed(...keys: (string | Uint8Array)[]) {
  const lines: string[] = []
  const seen = { echo: '', interrupts: 0, ends: 0 }
  const discipline = createLineDiscipline({
    onLine: (line) => lines.push(Buffer.from(line).toString()),
    onEcho(text) {
      seen.echo += Buffer.from(text).toString('latin1')
    },
    onInterrupt() {
      seen.interrupts++
    },
    onEnd() {
      seen.ends++
    },
  })
  for (const key of keys) discipline.type(Buffer.from(key))
  return { lines, ...seen, discipline }
}

it('sends whole lines, however they arrive', () => {
  expect(typed('l', 's -', 'l\rpwd\r', 'rest').lines).toEqual(['ls -l\n', 'pwd\n'])
})

it('takes back what was mistyped, and nothing more', () => {
  expect(typed('lx\u007fs\r').lines).toEqual(['ls\n'])
  expect(typed('\u007f\u007fa\r')).toMatchObject({ lines: ['a\n'], echo: 'a\r\n' })
  // a sign of two bytes is one key
  expect(typed('aä\u007fb\r').lines).toEqual(['ab\n'])
})

it('ends the input at Ctrl-D on an empty line, and sends what stands there otherwise', () => {
  expect(typed('\u0004')).toMatchObject({ lines: [], ends: 1 })
  expect(typed('a\u0004\u0004')).toMatchObject({ lines: ['a'], ends: 1 })
})

it('interrupts at Ctrl-C', () => {
  expect(typed('abc\u0003')).toMatchObject({ lines: [], interrupts: 1, echo: 'abc^C\r\n' })
})

it('leads each line of the output back to the margin, once', () => {
  const { discipline } = typed()
  expect(Buffer.from(discipline.show(Buffer.from('a\nb\r\nc'))).toString()).toBe('a\r\nb\r\nc')
})

it('loses no key that is none of its own', () => {
  const key = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))
  fc.assert(
    fc.property(fc.array(fc.array(key).map((keys) => keys.join(''))), (lines) => {
      expect(typed(...lines.map((line) => `${line}\r`)).lines).toEqual(lines.map((line) => `${line}\n`))
    }),
  )
})

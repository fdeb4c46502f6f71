import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duplicatesInJson } from './duplicates.ts'

const found = (text: string) => duplicatesInJson(text, JSON.parse(text))?.warnings ?? []

describe('what a text says twice', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '{"a":1,"b":{"a":2}}', []],
    ['a field', '{"a":1,"a":2}', ['a']],
    ['a field of a field', '{"a":{"b":1,"b":2}}', ['a.b']],
    ['a field of an item', '{"a":[{},{"b":1,"b":2}]}', ['a[1].b']],
    ['a field that is written in another way', String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['nothing, with colons and quotes in texts', String.raw`{"a":"x:\"y\":","b:":"\\"}`, []],
    ['a whole object', '{"a":{"b":1},"a":{"c":1}}', ['a']],
    ['three times, told once', '{"a":1,"a":2,"a":3}', ['a']],
  ])('%s', (_, text, paths) => {
    expect(found(text)).toEqual(paths.map((path) => `duplicate field "${path}"`))
  })

  it('is found whatever else is there, and only then', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.boolean(), (object, name, twice) => {
        const { [name]: _, ...rest } = object
        const text = JSON.stringify(rest)
        const field = `${JSON.stringify(name)}:1`
        const inner = text === '{}' ? field : `${field},${text.slice(1, -1)}`
        const whole = twice ? `{${field},${inner}}` : `{${inner}}`
        expect(found(whole)).toEqual(twice ? [`duplicate field "${name}"`] : [])
      }),
    )
  })
})

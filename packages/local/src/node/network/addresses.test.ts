import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressBook } from './addresses.ts'

describe('address book', () => {
  it('gives every host its own loopback address, and keeps to it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 600 }), (start, hosts) => {
        const book = createAddressBook('linux', start)
        const given = hosts.map((host) => book.of(host))
        expect(new Set(given).size).toBe(hosts.length)
        expect(hosts.map((host) => book.of(host))).toEqual(given)
        for (const ip of given) {
          const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
          expect(a).toBe(127)
          expect(b).toBeGreaterThanOrEqual(64)
          expect(b).toBeLessThan(192)
          expect(c).toBeLessThan(256)
          expect(d).toBeGreaterThan(0)
          expect(d).toBeLessThan(255)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('reuses released addresses only after all others', () => {
    const book = createAddressBook('linux', 0)
    const first = book.of('a')
    book.release('a')
    expect(book.of('b')).not.toBe(first)
  })

  it('knows only one address where the system has only one', () => {
    const book = createAddressBook('darwin', 7)
    expect([book.of('a'), book.of('b')]).toEqual(['127.0.0.1', '127.0.0.1'])
  })
})

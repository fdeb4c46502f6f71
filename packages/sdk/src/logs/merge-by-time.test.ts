import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeByTime } from './merge-by-time.ts'
import { compareTimestamps, splitTimestamp } from './timestamp.ts'

describe('timestamps', () => {
  it.each<[string, string, number]>([
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01Z', 0],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.000000000Z', 0],
    ['2026-01-01T00:00:01.5Z', '2026-01-01T00:00:01.25Z', 1],
    ['2026-01-01T00:00:01.25Z', '2026-01-01T00:00:01.5Z', -1],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.1Z', -1],
    ['2026-01-01T00:00:02Z', '2026-01-01T00:00:01.9Z', 1],
    ['2026-01-01T00:00:01.123456789+02:00', '2026-01-01T00:00:01.123456788+02:00', 1],
  ])('%s and %s', (a, b, order) => {
    expect(compareTimestamps(a, b)).toBe(order)
  })

  it('stand in front of the line, which may be empty or have spaces', () => {
    expect(splitTimestamp('2026-01-01T00:00:01Z  two  words')).toEqual({
      timestamp: '2026-01-01T00:00:01Z',
      text: ' two  words',
    })
    expect(splitTimestamp('2026-01-01T00:00:01Z ').text).toBe('')
    expect(splitTimestamp('2026-01-01T00:00:01Z').text).toBe('')
  })
})

describe('mergeByTime', () => {
  async function* from<T>(values: readonly T[]): AsyncGenerator<T> {
    yield* values
  }

  it('orders what is in order in each source, and leaves nothing out', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(times, { maxLength: 6 }), async (sources) => {
        const all = sources.map((one, source) =>
          one
            .toSorted((a, b) => a - b)
            .map((time, at) => ({ timestamp: `2026-01-01T00:00:${String(time).padStart(2, '0')}Z`, source, at })),
        )
        const found = []
        for await (const line of mergeByTime(all.map(from))) found.push(line)
        const expected = all
          .flat()
          .toSorted((a, b) => compareTimestamps(a.timestamp, b.timestamp) || a.source - b.source || a.at - b.at)
        expect(found).toEqual(expected)
      }),
    )
  })
})

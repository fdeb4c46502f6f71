import { expect, it } from 'vitest'
import { ageText, durationText } from './duration-text.ts'

const S = 1000
const M = 60 * S
const H = 60 * M
const D = 24 * H

it.each([
  [-3 * S, '<invalid>'],
  [-1 * S, '0s'],
  [0, '0s'],
  [59 * S, '59s'],
  [119 * S, '119s'],
  [2 * M, '2m'],
  [3 * M + 5 * S, '3m5s'],
  [10 * M + 5 * S, '10m'],
  [179 * M, '179m'],
  [4 * H + 5 * M, '4h5m'],
  [8 * H + 5 * M, '8h'],
  [47 * H, '47h'],
  [3 * D + 4 * H, '3d4h'],
  [200 * D, '200d'],
  [(3 * 365 + 20) * D, '3y20d'],
  [9 * 365 * D, '9y'],
])('%d ms read %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

it('says when there is no time, or none that can be read', () => {
  expect(ageText(undefined, 0)).toBe('<unknown>')
  expect(ageText(null, 0)).toBe('<unknown>')
  expect(ageText('tomorrow', 0)).toBe('<invalid>')
  expect(ageText('1970-01-01T00:00:00Z', 5000)).toBe('5s')
})

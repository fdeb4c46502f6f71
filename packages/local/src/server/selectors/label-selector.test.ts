import { describe, expect, it } from 'vitest'
import { type LabelSelector, matchesLabels } from './label-selector.ts'

const labels = { app: 'a', tier: 'web' }

describe('a label selector of an object', () => {
  it.each<[string, LabelSelector, boolean]>([
    ['nothing', {}, true],
    ['a label', { matchLabels: { app: 'a' } }, true],
    ['another value', { matchLabels: { app: 'b' } }, false],
    ['a label that is inherited by all objects', { matchLabels: { constructor: 'x' } }, false],
    ['one of values', { matchExpressions: [{ key: 'app', operator: 'In', values: ['x', 'a'] }] }, true],
    ['none of values', { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['a'] }] }, false],
    ['none of values, without the label', { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['a'] }] }, true],
    ['a label of any value', { matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
    ['no such label', { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
    ['both', { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] }, false],
  ])('that asks for %s', (_, selector, expected) => {
    expect(matchesLabels(selector, labels)).toBe(expected)
  })
})

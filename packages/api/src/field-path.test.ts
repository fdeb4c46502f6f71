import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFieldPath, parseFieldPath } from './field-path.ts'

describe('field paths', () => {
  it.each([
    [['spec', 'trainer', 'env', 0, 'name'], 'spec.trainer.env[0].name'],
    [['metadata', 'labels', 'example.com/x'], 'metadata.labels[example.com/x]'],
    [[], ''],
    [['items', 3], 'items[3]'],
  ])('%j is written %s', (path, text) => {
    expect(formatFieldPath(path)).toBe(text)
    expect(parseFieldPath(text)).toEqual(path)
  })

  it('come back from their text', () => {
    const part = fc.oneof(
      fc.nat(1000),
      fc.stringMatching(/^[a-z][A-Za-z]{0,8}$/),
      fc.constant('trainer.kubeflow.org/x'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (path) => {
        expect(parseFieldPath(formatFieldPath(path))).toEqual(path)
      }),
    )
  })
})

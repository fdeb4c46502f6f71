import { describe, expect, it } from 'vitest'
import { resolvePlainScalar } from './resolve-scalar.ts'

describe('a plain scalar', () => {
  // what sigs.k8s.io/yaml v1.6.0, and so kubectl, makes of the same texts
  it.each<[string, string | number | boolean | null | undefined]>([
    ['yes', true],
    ['Yes', true],
    ['YES', true],
    ['yEs', 'yEs'],
    ['y', true],
    ['on', true],
    ['no', false],
    ['Off', false],
    ['N', false],
    ['True', true],
    ['tRue', 'tRue'],
    ['null', null],
    ['~', null],
    ['', null],
    ['nUll', 'nUll'],
    ['0644', 420],
    ['0o17', 15],
    ['0x1F', 31],
    ['0b101', 5],
    ['-0777', -511],
    ['08', 8],
    ['0o8', '0o8'],
    ['0x', '0x'],
    ['1_000', 1000],
    ['_1', '_1'],
    ['1e3', 1000],
    ['-0', 0],
    ['-0.0', 0],
    ['-0x0', 0],
    ['.5', 0.5],
    ['1.', 1],
    ['1.5.2', '1.5.2'],
    ['1e999', '1e999'],
    ['.inf', undefined],
    ['-.Inf', undefined],
    ['.nan', undefined],
    ['2001-01-01', '2001-01-01'],
    ['1:30', '1:30'],
    ['500m', '500m'],
    ['16Gi', '16Gi'],
    ['-', '-'],
    ['a b', 'a b'],
  ])('%s is read as kubectl reads it', (source, value) => {
    expect(resolvePlainScalar(source)).toBe(value)
  })
})

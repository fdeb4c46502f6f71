import { expect, test } from 'vitest'
import { howToGet } from './how-to-get.ts'

test('programs of shipped runtimes are known', () => {
  expect(howToGet('tune')).toBe('it comes with: pip install torchtune torchao (its fine-tuning recipes want a GPU)')
  expect(howToGet('mpirun')).toContain('apt-get install openmpi-bin')
})

test.each(['my-program', 'constructor'])('%s is for the user to find', (program) => {
  expect(howToGet(program)).toBe('install it, or correct the command')
})

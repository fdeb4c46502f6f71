import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { loadCommand } from '../commands/registry.ts'
import { ExitCode } from '../exit-code.ts'
import { version } from '../version.ts'
import { answerHelp } from './answer.ts'
import { nearest } from './nearest.ts'
import { allHelp } from './table.ts'

describe('help', () => {
  test.each([[[]], [['--help']], [['help']], [['-h']]])('%j shows every command', (argv) => {
    const answer = answerHelp(argv, 'trainjob')
    expect(answer?.exitCode).toBe(ExitCode.ok)
    for (const { name } of allHelp) expect(answer?.stdout).toContain(`  ${name} `)
  })

  test.each(allHelp.map((help) => [help.name, help] as const))('%s has usage, examples and flags', (name, help) => {
    for (const argv of [
      [...name.split(' '), '--help'],
      ['help', ...name.split(' ')],
    ]) {
      const text = answerHelp(argv, 'trainjob')?.stdout ?? ''
      expect(text).toContain(`Usage:\n  trainjob ${name}`)
      expect(text).toContain('Examples:\n')
      for (const { flags } of help.flags) expect(text).toContain(flags)
    }
  })

  test.each(allHelp.map(({ name }) => name))('%s has work behind its help', async (name) => {
    expect(await loadCommand(name)).toBeTypeOf('function')
  })

  test('is found wherever --help stands, but not behind --', () => {
    expect(answerHelp(['run', '-f', 'x', '--help'], 'trainjob')?.stdout).toContain('Usage:\n  trainjob run')
    expect(answerHelp(['run', '--', 'python', '--help'], 'trainjob')).toBeUndefined()
    expect(answerHelp(['get', 'pods'], 'trainjob')).toBeUndefined()
  })

  test('a group shows its commands', () => {
    const text = answerHelp(['local'], 'trainjob')?.stdout ?? ''
    for (const word of ['up', 'down', 'status', 'kubeconfig']) expect(text).toMatch(new RegExp(`^ {2}${word} `, 'm'))
  })

  test('as a plugin of kubectl it says so, in usage and examples', () => {
    const text = answerHelp(['get', '--help'], 'kubectl trainjob')?.stdout ?? ''
    expect(text).toContain('  kubectl trainjob get mnist -o yaml')
    expect(text).not.toMatch(/(?<!kubectl )trainjob get/)
  })

  test('an unknown command gets the nearest one', () => {
    expect(answerHelp(['help', 'rum'], 'trainjob')).toEqual({
      stdout: '',
      stderr: 'error: there is no command "rum". Did you mean "run"? See "trainjob --help" for the list.\n',
      exitCode: ExitCode.usage,
    })
  })

  test('no line is wider than 120 characters', () => {
    for (const { name } of allHelp) {
      const text = answerHelp([...name.split(' '), '--help'], 'trainjob')?.stdout ?? ''
      expect(text.split('\n').filter((line) => line.length > 120)).toEqual([])
    }
  })

  test('the version is the one of the package', () => {
    expect(version).toBe(manifest.version)
  })
})

describe('nearest', () => {
  test.each([
    ['rum', 'run'],
    ['RUN', 'run'],
    ['delte', 'delete'],
    ['descirbe', 'describe'],
    ['desc', 'describe'],
    ['xyz', undefined],
  ])('%s means %s', (word, expected) => {
    expect(nearest(word, ['run', 'delete', 'describe', 'get'])).toBe(expected)
  })
  test('one slip in a word of three or more letters is always found', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(word, fc.nat(), (text, at) => {
        const slip = text.slice(0, at % text.length) + text.slice((at % text.length) + 1)
        expect(nearest(slip, [text])).toBe(text)
      }),
    )
  })
})

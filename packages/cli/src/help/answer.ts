import { ExitCode } from '../exit-code.ts'
import type { CommandHelp } from './command-help.ts'
import { nearest } from './nearest.ts'
import { printCommandHelp, printGroupHelp, printOverview } from './print-help.ts'
import { allHelp, commandGroups } from './table.ts'

export interface HelpAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: ExitCode
}

/**
 * The text for a command line that asks for help, as in `--help`, `run --help`, `help local up`, or nothing at all;
 * `undefined` when it asks for something else. Loads nothing but the help texts: they must be quick.
 */
export function answerHelp(argv: readonly string[], program: string): HelpAnswer | undefined {
  const dashes = argv.indexOf('--')
  const own = dashes === -1 ? argv : argv.slice(0, dashes)
  const words = own.filter((word) => !word.startsWith('-'))
  const asked = own.includes('--help') || own.includes('-h')
  if (words[0] === 'help') return helpFor(words.slice(1), program)
  if (asked) return helpFor(words, program)
  if (argv.length === 0) return answer(printOverview(commandGroups, program))
  if (words.length === 1 && own.length === 1 && isGroup(words[0] as string)) return helpFor(words, program)
  return undefined
}

function helpFor(words: readonly string[], program: string): HelpAnswer {
  const [first, second] = words
  if (first === undefined) return answer(printOverview(commandGroups, program))
  const found = allHelp.find(({ name }) => name === first || name === `${first} ${second ?? ''}`)
  if (found !== undefined) return answer(printCommandHelp(found, program))
  if (isGroup(first)) return answer(printGroupHelp(first, inGroup(first), program))
  return {
    stdout: '',
    stderr: `error: ${unknownCommand(first, program)}\n`,
    exitCode: ExitCode.usage,
  }
}

/** `unknown command "rum"; did you mean "run"? …` */
export function unknownCommand(word: string, program: string): string {
  const close = nearest(word, [...new Set(allHelp.map(({ name }) => name.split(' ')[0] as string)), 'help'])
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`
  return `there is no command "${word}".${hint} See "${program} --help" for the list.`
}

function inGroup(word: string): readonly CommandHelp[] {
  return allHelp.filter(({ name }) => name.startsWith(`${word} `))
}

function isGroup(word: string): boolean {
  return inGroup(word).length > 0
}

function answer(stdout: string): HelpAnswer {
  return { stdout, stderr: '', exitCode: ExitCode.ok }
}

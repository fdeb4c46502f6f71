import { Command, CommanderError, Option } from 'commander'
import { CliError } from './cli-error.ts'
import type { Invocation } from './command.ts'
import { unknownCommand } from './help/answer.ts'
import type { CommandHelp, FlagHelp } from './help/command-help.ts'
import { allHelp } from './help/table.ts'

export interface CommandLine {
  readonly help: CommandHelp
  /** The flags are what the command's help table says, hence what its own interface says. */
  readonly invocation: Invocation<unknown>
}

/** Finds the command and reads its flags by its help table. Throws `CliError` `usage`. */
export function parseCommandLine(argv: readonly string[], program: string): CommandLine {
  const help = commandOf(argv, program)
  const words = argv.slice(help.name.split(' ').length)
  const dashes = words.indexOf('--')
  const own = dashes === -1 ? words : words.slice(0, dashes)
  const command = new Command(help.name)
    .argument('[args...]')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
  for (const flag of help.flags) command.addOption(optionOf(flag))
  try {
    command.parse(spelledOut(own, help.flags), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const message = error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)/, '; did you mean $1?')
    throw new CliError('usage', `${message}\nSee "${program} ${help.name} --help".`, { cause: error })
  }
  const invocation = { flags: command.opts<Record<string, unknown>>(), args: command.args }
  return { help, invocation: dashes === -1 ? invocation : { ...invocation, rest: words.slice(dashes + 1) } }
}

function commandOf(argv: readonly string[], program: string): CommandHelp {
  const [first = '', second = ''] = argv
  const found = allHelp.find(({ name }) => name === first || name === `${first} ${second}`)
  if (found !== undefined) return found
  if (first.startsWith('-')) {
    throw new CliError('usage', `the command comes first, flags behind it: found "${first}". See "${program} --help".`)
  }
  const group = allHelp.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (group.length > 0) {
    throw new CliError('usage', `there is no command "${first} ${second}", only ${group.join(', ')}.`)
  }
  throw new CliError('usage', unknownCommand(first, program))
}

function optionOf({ flags, does, repeat, choices }: FlagHelp): Option {
  const option = new Option(flags.replace(/\[=(\w+)\]/, ' [$1]'), does)
  if (choices !== undefined) option.choices([...choices])
  if (repeat) option.argParser((value: string, before: readonly string[] = []) => [...before, value])
  return option
}

/** kubectl's spellings in the parser's: `-o=json`, and `--local` alone, whose value never is the next word. */
function spelledOut(words: readonly string[], flags: readonly FlagHelp[]): string[] {
  const alone = new Map(
    flags.flatMap(({ flags: text, alone }) =>
      alone === undefined ? [] : [[text.replace(/\[.*/, ''), alone] as const],
    ),
  )
  return words.flatMap((word) => {
    const value = alone.get(word)
    if (value !== undefined) return [`${word}=${value}`]
    const short = /^(-[A-Za-z])=(.*)$/s.exec(word)
    return short === null ? [word] : [short[1] as string, short[2] as string]
  })
}

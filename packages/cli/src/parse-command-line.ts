import { CliError } from './cli-error.ts'
import type { Invocation } from './command.ts'
import { unknownCommand } from './help/answer.ts'
import type { CommandHelp, FlagHelp } from './help/command-help.ts'
import { nearest } from './help/nearest.ts'
import { allHelp } from './help/table.ts'

// not imported: an import loads all that node:util otherwise loads only when it is asked for, which takes 2 ms
const { parseArgs } = process.getBuiltinModule('node:util')

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
  const invocation = parseFlags(own, help, program)
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

/** A row of the help table as the parser sees it. */
interface Flag {
  /** Without dashes: `no-fit`. */
  readonly long: string
  readonly short?: string
  readonly takes: 'nothing' | 'value' | 'perhaps a value'
  readonly help: FlagHelp
}

function parseFlags(words: readonly string[], help: CommandHelp, program: string): Invocation<unknown> {
  const flags = help.flags.map(readFlag)
  const fail = (message: string): CliError => new CliError('usage', `${message}\nSee "${program} ${help.name} --help".`)
  const { tokens } = parseArgs({
    args: withoutShortEquals(words),
    options: Object.fromEntries(
      flags.map(({ long, short, takes }) => [
        long,
        {
          type: takes === 'value' ? ('string' as const) : ('boolean' as const),
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
    strict: false,
    tokens: true,
    allowPositionals: true,
  })
  const values: Record<string, unknown> = Object.fromEntries(
    flags.filter(({ long }) => long.startsWith('no-')).map(({ long }) => [camelCase(long.slice(3)), true]),
  )
  const args: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const flag = flags.find(({ long }) => long === token.name)
    if (flag === undefined) throw fail(unknownFlag(token.rawName, flags))
    const value = flagValue(flag, token.rawName, token.value, fail)
    const key = camelCase(flag.long.replace(/^no-/, ''))
    values[key] = flag.help.repeat ? [...((values[key] as string[] | undefined) ?? []), value] : value
  }
  return { flags: values, args }
}

function readFlag(help: FlagHelp): Flag {
  const { flags, alone } = help
  const short = /^-(\w), /.exec(flags)?.[1]
  return {
    long: /--([\w-]+)/.exec(flags)?.[1] ?? '',
    takes: alone !== undefined ? 'perhaps a value' : flags.includes('<') ? 'value' : 'nothing',
    help,
    ...(short === undefined ? {} : { short }),
  }
}

function flagValue(
  { long, takes, help }: Flag,
  rawName: string,
  value: string | undefined,
  fail: (message: string) => CliError,
): string | boolean {
  if (takes === 'nothing') {
    if (value !== undefined && value !== 'true' && value !== 'false') {
      throw fail(`${rawName} takes no value; found "${value}".`)
    }
    return (value !== 'false') !== long.startsWith('no-')
  }
  const given = value ?? help.alone
  if (given === undefined || (value !== undefined && value.length > 1 && /^--?[a-z]/i.test(value) && !help.repeat)) {
    throw fail(
      `${rawName} wants a value: ${help.flags}.${value === undefined ? '' : ` Found "${value}"; if that is meant: --${long}=${value}`}`,
    )
  }
  if (help.choices !== undefined && !help.choices.includes(given)) {
    const close = nearest(given, help.choices)
    throw fail(
      `${rawName} wants ${help.choices.join(' or ')}; found "${given}".${close === undefined ? '' : ` Did you mean ${close}?`}`,
    )
  }
  return given
}

function unknownFlag(rawName: string, flags: readonly Flag[]): string {
  const close = nearest(rawName.replace(/^-+/, ''), [...flags.map(({ long }) => long), 'help'])
  return `there is no flag "${rawName}".${close === undefined ? '' : ` Did you mean --${close}?`}`
}

/** kubectl also reads `-o=json`. */
function withoutShortEquals(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/^(-[A-Za-z])=/, '$1'))
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

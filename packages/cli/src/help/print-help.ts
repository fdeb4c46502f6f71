import type { CommandGroup, CommandHelp, FlagHelp } from './command-help.ts'

/** A command's help text, for `--help` and `help COMMAND`. `program` is how the user calls us. */
export function printCommandHelp(help: CommandHelp, program: string): string {
  const parts = [help.description ?? `${help.summary}.`]
  parts.push(`Usage:\n${help.usage.map((form) => `  ${program} ${form}`).join('\n')}`)
  parts.push(
    `Examples:\n${help.examples.map(({ does, command }) => `  # ${does}\n  ${withProgram(command, program)}`).join('\n\n')}`,
  )
  parts.push(`Flags:\n${aligned([...help.flags.map(flagLine), ['-h, --help', 'this text']])}`)
  if (help.exitCodes !== undefined) parts.push(`Exit codes:\n${help.exitCodes.map((line) => `  ${line}`).join('\n')}`)
  return `${parts.join('\n\n')}\n`
}

/** The list of commands, in groups. */
export function printOverview(groups: readonly CommandGroup[], program: string): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  const lists = groups.map(
    ({ title, commands }) =>
      `${title}:\n${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}`,
  )
  return `${[
    'Describe a distributed training job once; run it on this machine or on a Kubernetes cluster.',
    `Usage:\n  ${program} COMMAND [flags]`,
    ...lists,
    `Examples:
  # four processes that find each other as torchrun's nodes do
  ${program} run --nodes 4 -- python train.py

  # a TrainJob of Kubeflow Trainer, here
  ${program} run -f trainjob.yaml`,
    `Use "${program} COMMAND --help" for the flags of a command, "${program} --version" for the version.`,
  ].join('\n\n')}\n`
}

/** The commands behind a word that is none itself, as in `local`. */
export function printGroupHelp(word: string, commands: readonly CommandHelp[], program: string): string {
  return `${[
    `Usage:\n  ${program} ${word} COMMAND [flags]`,
    `Commands:\n${aligned(commands.map(({ name, summary }) => [name.slice(word.length + 1), summary]))}`,
    `Use "${program} ${word} COMMAND --help" for the flags of a command.`,
  ].join('\n\n')}\n`
}

function flagLine({ flags, does, choices }: FlagHelp): [string, string] {
  const indented = flags.startsWith('--') ? `    ${flags}` : flags
  return [indented, choices === undefined ? does : `${does} (${choices.join(', ')})`]
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function withProgram(command: string, program: string): string {
  return command.replaceAll('trainjob ', (word, at: number) =>
    at === 0 || command.slice(at - 2, at) === '| ' || command.slice(at - 3, at) === '&& ' ? `${program} ` : word,
  )
}

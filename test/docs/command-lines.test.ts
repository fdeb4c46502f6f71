import { describe, expect, it } from 'vitest'
import { answerHelp } from '../../packages/cli/src/help/answer.ts'
import { allHelp } from '../../packages/cli/src/help/table.ts'
import { parseCommandLine } from '../../packages/cli/src/parse-command-line.ts'
import { type CommandLine, commandLines, commandsInSpans } from './command-lines.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { files, read } from './workspace.ts'

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const documents = files('README.md', 'packages/*/README.md', 'examples/*/README.md', 'test/README.md', 'docs/**/*.md')

describe('commands in documents and help texts', () => {
  const shown = documents.flatMap((file) => {
    const markdown = read(file)
    const found = [...fencedBlocks(markdown).flatMap(commandLines), ...commandsInSpans(markdown)]
    return found.map(({ words, line }) => ({ command: words.join(' '), at: `${file}:${line}`, words }))
  })
  const helped = allHelp.flatMap(({ name, examples }) =>
    examples.flatMap(({ command }) =>
      commandLines({ language: 'sh', heading: name, line: 1, text: command }).map(({ words }) => ({
        command: words.join(' '),
        at: `${name} --help`,
        words,
      })),
    ),
  )
  const commands = [...shown, ...helped]

  it.each(commands.flatMap((one) => ownArguments(one)))('$command at $at', ({ args }) => {
    const help = answerHelp(args, 'trainjob')
    if (help === undefined) expect(() => parseCommandLine(args, 'trainjob')).not.toThrow()
    else expect(help).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it.each(commands.flatMap((one) => pnpmScript(one)))('$command at $at', ({ script }) => {
    expect(Object.keys(scripts)).toContain(script)
  })
})

describe('commands of a block', () => {
  const commandsOf = (language: string, text: string): (readonly string[])[] =>
    commandLines({ language, heading: '', line: 1, text }).map(({ words }) => words)

  it.each<[string, string, string, string[][]]>([
    ['stand behind a prompt', 'console', '$ trainjob version\ntrainjob 1.0', [['trainjob', 'version']]],
    ['are all lines of a script', 'sh', 'a b\nc', [['a', 'b'], ['c']]],
    ['go on behind a backslash', 'console', '$ a \\\n  b', [['a', 'b']]],
    ['are the parts of pipes and lists', 'sh', 'a | b && c; d', [['a'], ['b'], ['c'], ['d']]],
    ['have quoted words', 'sh', `a 'b c' --d="e|f"`, [['a', 'b c', '--d=e|f']]],
    ['are without comments, redirections and variables', 'sh', 'X=1 a b > c 2>&1 # d | e', [['a', 'b']]],
    ['are not looked for in other languages', 'ts', 'a b', []],
  ])('%s', (_, language, text, expected) => {
    expect(commandsOf(language, text)).toEqual(expected)
  })

  it('in code spans are one for each alternative', () => {
    const found = commandsInSpans('| `trainjob local up\\|down NAME` | and `other` |')
    expect(found.map(({ words }) => words.join(' '))).toEqual(['trainjob local up NAME', 'trainjob local down NAME'])
  })
})

interface Located extends Pick<CommandLine, 'words'> {
  readonly command: string
  readonly at: string
}

/** What `trainjob` is given. Placeholders like `COMMAND` and lists that go on stand for no command line. */
function ownArguments(one: Located): (Located & { args: string[] })[] {
  const match = /^(?:(?:npx(?: -y)?|pnpm exec|kubectl) )?trainjob(?: |$)/.exec(one.command)
  if (match === null || one.words.includes('COMMAND')) return []
  const args = one.words.slice(match[0].trim().split(' ').length)
  return [{ ...one, args: args.map((arg) => (arg === 'CMD…' ? 'CMD' : arg)) }]
}

function pnpmScript(one: Located): (Located & { script: string })[] {
  const script = /^(?:npx -y pnpm@[\d.]+|pnpm) (?!exec )(?:run )?([\w:]+)/.exec(one.command)?.[1]
  return script === undefined ? [] : [{ ...one, script }]
}

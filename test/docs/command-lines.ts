import type { FencedBlock } from './fenced-blocks.ts'

/** A command of a shell block, in words. */
export interface CommandLine {
  readonly words: readonly string[]
  /** Line of the document, from 1. */
  readonly line: number
}

/**
 * The commands of a block that shows a shell: of `console` blocks the lines behind a prompt, of `sh` blocks all of them.
 * Parts of pipes and lists are commands of their own; comments, redirections and variables in front are left out.
 */
export function commandLines({ language, line, text }: FencedBlock): CommandLine[] {
  if (language !== 'sh' && language !== 'console') return []
  const commands: CommandLine[] = []
  let open: { text: string; line: number } | undefined
  for (const [index, written] of text.split('\n').entries()) {
    const prompt = /^\$ (.*)/.exec(written)?.[1]
    const typed = open !== undefined || language === 'sh' ? (prompt ?? written) : prompt
    if (typed === undefined) continue
    const whole = { text: `${open?.text ?? ''}${typed.replace(/\\$/, ' ')}`, line: open?.line ?? line + index }
    open = typed.endsWith('\\') ? whole : undefined
    if (open === undefined) commands.push(...split(whole.text).map((words) => ({ words, line: whole.line })))
  }
  return commands
}

/** Commands in code spans, as in `trainjob get|describe NAME`: one for each alternative. */
export function commandsInSpans(markdown: string): CommandLine[] {
  return markdown.split('\n').flatMap((text, index) =>
    [...text.matchAll(/`(trainjob [^`]+)`/g)].flatMap(([, span = '']) => {
      const words = span.replaceAll('\\|', '|').split(/ +/)
      return alternatives(words).map((one) => ({ words: one, line: index + 1 }))
    }),
  )
}

function alternatives([first, ...rest]: readonly string[]): string[][] {
  if (first === undefined) return [[]]
  const tails = alternatives(rest)
  return first.split('|').flatMap((word) => tails.map((tail) => [word, ...tail]))
}

const WORD = /\s*(?:(#.*)|(&&|\|\||[|;])|\d?[<>]{1,2}&?\s*\S+|((?:'[^']*'|"[^"]*"|[^\s'"|;<>])+))/y

function split(text: string): string[][] {
  const commands: string[][] = [[]]
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null && match[1] === undefined; match = WORD.exec(text)) {
    const [, , operator, word] = match
    if (operator !== undefined) commands.push([])
    else if (word !== undefined) commands.at(-1)?.push(word.replaceAll(/['"]/g, ''))
  }
  return commands.map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word)))).filter(([first]) => first)
}

import { CliError } from '../../cli-error.ts'

/** One step of a path: from each value found so far to the next ones. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'every' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly by?: number }
  | { readonly kind: 'union'; readonly steps: readonly Step[] }
  | { readonly kind: 'filter'; readonly left: Operand; readonly operator?: string; readonly right?: Operand }

export type Operand = { readonly path: readonly Step[] } | { readonly value: string | number | boolean | null }

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly steps: readonly Step[] }
  | { readonly kind: 'range'; readonly steps: readonly Step[]; readonly body: readonly Node[] }

/**
 * Reads a template of kubectl's JSONPath dialect: text with `{.path}`, `{"text"}` and `{range .path}…{end}`. Paths know
 * fields (`.a`, `['a']`, `.a\.b`), `[*]`, `[0]`, `[-1]`, `[0:3:2]`, `[0,2]`, `..name` and filters (`[?(@.type=="X")]`).
 * Throws `CliError` `usage`.
 */
export function parseJsonPath(template: string): readonly Node[] {
  const root: Node[] = []
  const open: { body: Node[]; steps: readonly Step[] }[] = []
  let at = 0
  const here = (): Node[] => open.at(-1)?.body ?? root
  while (at < template.length) {
    if (template[at] !== '{') {
      const end = template.indexOf('{', at)
      const text = template.slice(at, end === -1 ? undefined : end)
      here().push({ kind: 'text', text })
      at += text.length
      continue
    }
    const end = closingBrace(template, at)
    const inner = template.slice(at + 1, end).trim()
    at = end + 1
    if (inner === 'end') {
      const range = open.pop()
      if (range === undefined) throw wrong(template, '{end} without {range}')
      here().push({ kind: 'range', ...range })
    } else if (/^range\s/.test(inner)) {
      open.push({ body: [], steps: parsePath(inner.slice(5).trim()) })
    } else if (/^["']/.test(inner)) {
      here().push({ kind: 'text', text: unquoted(inner) })
    } else {
      here().push({ kind: 'path', steps: parsePath(inner) })
    }
  }
  if (open.length > 0) throw wrong(template, '{range} without {end}')
  return root
}

/** Reads one path, with or without `$` or `@` in front. Throws `CliError` `usage`. */
export function parsePath(text: string): readonly Step[] {
  const steps: Step[] = []
  let rest = text.replace(/^[$@]/, '')
  if (rest !== '' && !/^[.[]/.test(rest)) rest = `.${rest}`
  while (rest !== '') {
    const field = /^\.?\.((?:[^.[\]\\]|\\.)+)/.exec(rest)
    if (rest.startsWith('..')) steps.push({ kind: 'descend' })
    if (field !== null) {
      const name = (field[1] as string).replace(/\\(.)/g, '$1')
      steps.push(name === '*' ? { kind: 'every' } : { kind: 'field', name })
      rest = rest.slice(field[0].length)
    } else if (/^\.*\[/.test(rest)) {
      rest = rest.replace(/^\.*/, '')
      const end = closingBracket(rest, text)
      steps.push(bracket(rest.slice(1, end).trim(), text))
      rest = rest.slice(end + 1)
    } else if (rest === '.') {
      rest = ''
    } else {
      throw wrong(text, `cannot read it from "${rest}" on`)
    }
  }
  return steps
}

function bracket(inner: string, path: string): Step {
  if (inner === '*') return { kind: 'every' }
  if (inner.startsWith('?')) return filter(inner, path)
  const parts = splitOutsideQuotes(inner, ',')
  if (parts.length > 1) return { kind: 'union', steps: parts.map((part) => bracket(part.trim(), path)) }
  if (/^["']/.test(inner)) return { kind: 'field', name: unquoted(inner) }
  if (/^-?\d+$/.test(inner)) return { kind: 'index', at: Number(inner) }
  const slice = /^(-?\d*):(-?\d*)(?::(-?\d*))?$/.exec(inner)
  if (slice === null) throw wrong(path, `"[${inner}]" is no index, name, slice or filter`)
  const [from, to, by] = slice.slice(1).map((part) => (part === undefined || part === '' ? undefined : Number(part)))
  return {
    kind: 'slice',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(by === undefined ? {} : { by }),
  }
}

function filter(inner: string, path: string): Step {
  const text = /^\?\s*\((.*)\)$/s.exec(inner)?.[1]?.trim()
  if (text === undefined) throw wrong(path, `"[${inner}]" is no filter like [?(@.type=="Ready")]`)
  const parts = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(text)
  if (parts === null) return { kind: 'filter', left: operand(text) }
  return { kind: 'filter', left: operand(parts[1] ?? ''), operator: parts[2] ?? '', right: operand(parts[3] ?? '') }
}

function operand(text: string): Operand {
  if (/^[@$.]/.test(text)) return { path: parsePath(text) }
  if (/^["']/.test(text)) return { value: unquoted(text) }
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  if (text === 'null') return { value: null }
  return { value: Number.isNaN(Number(text)) ? text : Number(text) }
}

function closingBrace(template: string, at: number): number {
  const end = endOf(template, at, '{', '}')
  if (end === -1) throw wrong(template, 'a "{" is not closed')
  return end
}

function closingBracket(rest: string, path: string): number {
  const end = endOf(rest, 0, '[', ']')
  if (end === -1) throw wrong(path, 'a "[" is not closed')
  return end
}

function endOf(text: string, from: number, opening: string, closing: string): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '\\') at++
    else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === opening) depth++
    else if (letter === closing && --depth === 0) return at
  }
  return -1
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  return text.match(new RegExp(`("[^"]*"|'[^']*'|[^${separator}"'])+`, 'g')) ?? [text]
}

function unquoted(text: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  return text.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
}

function wrong(text: string, why: string): CliError {
  return new CliError('usage', `"${text}" is no JSONPath: ${why}. An example: {.items[*].metadata.name}`)
}

import type { FieldPath } from '../field-path.ts'
import { resolvePlainScalar } from './resolve-scalar.ts'

/** A document that was read, and where its parts stand; the first line of the text is 0. */
export interface SimpleYaml {
  readonly value: Readonly<Record<string, unknown>>
  /** Line on which the value begins. */
  readonly line: number
  /** Line of the field at a path, or of the innermost part of the path that is there. Found by reading once more. */
  lineOf(path: FieldPath): number
}

/** The lines on which the fields of a mapping or the items of a list begin. */
type Lines = Map<object, Map<string | number, number>>

/**
 * Reads a document that consists of block mappings and lists, scalars on one line, and literal texts, some ten times as
 * fast as a parser of all of YAML. Whatever else there is (anchors, tags, several lines to a scalar, keys that stand
 * twice, any fault) it answers `undefined`, and `readYaml` must be asked. Where it answers, both agree.
 */
export function readSimpleYaml(text: string): SimpleYaml | undefined {
  if (UNUSUAL.test(text)) return undefined
  try {
    const reader = new Reader(text)
    const line = reader.line
    const value = reader.document()
    let recorded: { readonly value: unknown; readonly lines: Lines } | undefined
    const lineOf = (path: FieldPath): number => {
      if (recorded === undefined) {
        const lines: Lines = new Map()
        recorded = { value: new Reader(text, lines).document(), lines }
      }
      return lineIn(recorded.value, recorded.lines, path, line)
    }
    return { value, line, lineOf }
  } catch (error) {
    if (error === BEYOND) return undefined
    throw error
  }
}

function lineIn(root: unknown, lines: Lines, path: FieldPath, first: number): number {
  let at = root
  let line = first
  for (const part of path) {
    const found = typeof at === 'object' && at !== null ? lines.get(at)?.get(part) : undefined
    if (found === undefined) break
    line = found
    at = (at as Readonly<Record<string | number, unknown>>)[part]
  }
  return line
}

/** Tabs, carriage returns, control characters, other spaces and line ends, and halves of characters. */
const UNUSUAL =
  /[^\n\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe]/
/** Thrown where the text is beyond this reader. */
const BEYOND = new Error('not so simple')
/** Deeper documents exist, but not in great numbers. */
const MAX_DEPTH = 64

const DOUBLE_QUOTED = /^"((?:[^"\\]|\\["\\/nt])*)"(?: +#.*)?$/
const SINGLE_QUOTED = /^'((?:[^']|'')*)'(?: +#.*)?$/
const FLOW_LIST = /^\[ *([^[\]{}#]*?) *\](?: +#.*)?$/
const FLOW_ITEM = /^(?:"(?:[^"\\,]|\\["\\/nt])*"|'(?:[^',]|'')*'|[A-Za-z0-9_./=+-][A-Za-z0-9_./=+ -]*)$/
const ESCAPE = /\\(.)/g
/** What a plain scalar cannot begin with, or what is more than one. */
const INDICATOR = /^[&*!%@`,[\]{}#>|"']|^[-?:](?: |$)/

class Reader {
  private readonly lines: string[]
  /** Of the line that is next. */
  private at = 0
  /** Of the content of that line, and where it begins; -1 at the end. */
  private indent = -1
  private content = ''
  private depth = 0

  private readonly recorded: Lines | undefined

  constructor(text: string, recorded?: Lines) {
    this.lines = text.split('\n')
    this.recorded = recorded
    this.seek()
  }

  /** Of what is read next. */
  get line(): number {
    return this.at
  }

  document(): Record<string, unknown> {
    if (this.indent !== 0) throw BEYOND
    const value = this.mapping(0)
    if (this.isOver()) return value
    throw BEYOND
  }

  private isOver(): boolean {
    return this.indent === -1
  }

  private record(container: object, part: string | number, line: number): void {
    if (this.recorded === undefined) return
    const lines = this.recorded.get(container) ?? new Map<string | number, number>()
    this.recorded.set(container, lines.set(part, line))
  }

  /** Goes to the next line that says something, from the current one on. */
  private seek(): void {
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] as string
      let indent = 0
      while (line.charCodeAt(indent) === SPACE) indent++
      const code = line.charCodeAt(indent)
      if (indent === line.length || code === HASH) continue
      if (indent === 0 && (code === PERCENT || line.startsWith('...') || line.startsWith('---'))) throw BEYOND
      this.indent = indent
      this.content = line.slice(indent)
      return
    }
    this.indent = -1
  }

  private next(): void {
    this.at++
    this.seek()
  }

  private mapping(indent: number): Record<string, unknown> {
    if (++this.depth > MAX_DEPTH) throw BEYOND
    const object: Record<string, unknown> = {}
    while (this.indent === indent) {
      const end = keyEnd(this.content)
      if (end === -1) throw BEYOND
      const key = this.content.slice(0, end)
      if (resolvePlainScalar(key) !== key || end > MAX_KEY) throw BEYOND
      if (key in object) throw BEYOND
      this.record(object, key, this.at)
      let start = end + 1
      while (this.content.charCodeAt(start) === SPACE) start++
      object[key] = this.value(this.content.slice(start), indent, true)
    }
    if (this.indent > indent) throw BEYOND
    this.depth--
    return object
  }

  private list(indent: number): unknown[] {
    if (++this.depth > MAX_DEPTH) throw BEYOND
    const items: unknown[] = []
    while (this.indent === indent && isItem(this.content)) {
      let start = 1
      while (this.content.charCodeAt(start) === SPACE) start++
      const rest = this.content.slice(start)
      this.record(items, items.length, this.at)
      if (keyEnd(rest) !== -1) {
        // the first field stands on the line of the item
        this.indent = indent + start
        this.content = rest
        items.push(this.mapping(this.indent))
      } else items.push(this.value(rest, indent, false, items))
    }
    if (this.indent > indent) throw BEYOND
    this.depth--
    return items
  }

  /** What stands behind a key or a dash: on the same line, or on the next ones, which are indented further. */
  private value(rest: string, indent: number, isField: boolean, items?: readonly unknown[]): unknown {
    const first = rest.charCodeAt(0)
    if (first === PIPE) return this.literal(rest, indent)
    this.next()
    if (rest !== '' && first !== HASH) return scalar(rest)
    // items may stand as far left as the key they belong to
    if (this.indent === indent && isField && isItem(this.content)) return this.list(indent)
    if (this.indent <= indent) return null
    if (items !== undefined) this.record(items, items.length, this.at)
    return isItem(this.content) ? this.list(this.indent) : this.mapping(this.indent)
  }

  /** `|` and `|-`. */
  private literal(rest: string, indent: number): string {
    if (rest !== '|' && rest !== '|-') throw BEYOND
    const texts: string[] = []
    let width = -1
    for (this.at++; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] as string
      let spaces = 0
      while (line.charCodeAt(spaces) === SPACE) spaces++
      if (spaces === line.length) {
        // blanks before the text, and blanks that are text
        if (spaces > 0) throw BEYOND
        texts.push('')
        continue
      }
      if (width === -1) {
        if (spaces <= indent || texts.length > 0) throw BEYOND
        width = spaces
      }
      if (spaces < width) break
      texts.push(line.slice(width))
    }
    // what ends without a line end is for others to judge
    if (width === -1 || (this.at === this.lines.length && texts.at(-1) !== '')) throw BEYOND
    while (texts.at(-1) === '') texts.pop()
    this.seek()
    if (this.indent > indent) throw BEYOND
    return rest === '|' ? `${texts.join('\n')}\n` : texts.join('\n')
  }
}

const SPACE = 0x20
const HASH = 0x23
const PERCENT = 0x25
const PIPE = 0x7c
const COLON = 0x3a
/** YAML lets a key on one line have 1024 characters. */
const MAX_KEY = 1000

/** Where the key ends with which a text begins; -1 when it begins with something else. */
function keyEnd(text: string): number {
  let at = 0
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === COLON) break
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
    // digits, - . and /
    if (!isLetter && (at === 0 || code < 0x2d || code > 0x39 || Number.isNaN(code))) return -1
    at++
  }
  return at > 0 && (at + 1 === text.length || text.charCodeAt(at + 1) === SPACE) ? at : -1
}

function isItem(content: string): boolean {
  return content.charCodeAt(0) === 0x2d && (content.length === 1 || content.charCodeAt(1) === SPACE)
}

function scalar(text: string): unknown {
  const quoted = quotedText(text)
  if (quoted !== undefined) return quoted
  if (text.charCodeAt(0) === 0x5b) return flowList(text)
  if (text === '{}') return {}
  return plain(text)
}

function quotedText(text: string): string | undefined {
  const first = text.charCodeAt(0)
  if (first === 0x22) {
    const match = DOUBLE_QUOTED.exec(text)
    if (match === null) throw BEYOND
    return (match[1] as string).replaceAll(ESCAPE, (_, char: string) => ESCAPED[char] ?? char)
  }
  if (first !== 0x27) return undefined
  const match = SINGLE_QUOTED.exec(text)
  if (match === null) throw BEYOND
  return (match[1] as string).replaceAll("''", "'")
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

function flowList(text: string): unknown[] {
  const inside = FLOW_LIST.exec(text)?.[1]
  if (inside === undefined) throw BEYOND
  if (inside === '') return []
  return inside.split(',').map((part) => {
    const item = part.replace(/^ +/, '').replace(/ +$/, '')
    if (!FLOW_ITEM.test(item) || /^[-?:](?: |$)/.test(item)) throw BEYOND
    return quotedText(item) ?? resolved(item)
  })
}

function plain(text: string): unknown {
  if (!isLetterOrDigit(text.charCodeAt(0)) && INDICATOR.test(text)) throw BEYOND
  const comment = text.indexOf(' #')
  const end = comment === -1 ? text.length : comment
  let last = end
  while (text.charCodeAt(last - 1) === SPACE) last--
  const value = last === text.length ? text : text.slice(0, last)
  if (value.includes(': ') || value.endsWith(':')) throw BEYOND
  return resolved(value)
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)
}

function resolved(text: string): unknown {
  const value = resolvePlainScalar(text)
  if (value === undefined) throw BEYOND
  return value
}

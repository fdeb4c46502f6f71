/** One of the values that stand one after the other in a text. */
export interface JsonChunk {
  readonly text: string
  /** Number of the line its first character stands on; the first is 1. */
  readonly line: number
  /** How many `key: value` pairs it has at all depths; more than the parsed value has means that a key stands twice. */
  readonly pairs: number
  /** How many levels its brackets lie inside each other. */
  readonly depth: number
}

/** Cuts `{…}{…}` into its values, without looking deeper than strings and brackets. */
export function splitJson(text: string): readonly JsonChunk[] {
  const chunks: JsonChunk[] = []
  let depth = 0
  let start = -1
  let startLine = 1
  let line = 1
  let pairs = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE) line++
    if (start === -1) {
      if (code === SPACE || code === NEWLINE || code === TAB || code === RETURN) continue
      start = at
      startLine = line
    }
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) pairs++
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) {
      chunks.push({ text: text.slice(start, at + 1), line: startLine, pairs, depth: deepest })
      start = -1
      pairs = 0
      deepest = 0
    }
  }
  if (start !== -1) chunks.push({ text: text.slice(start), line: startLine, pairs, depth: deepest })
  return chunks
}

const NEWLINE = 10
const RETURN = 13
const TAB = 9
const SPACE = 32
const QUOTE = 34
const COLON = 58
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const BACKSLASH = 92

/** Position of the closing quote, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

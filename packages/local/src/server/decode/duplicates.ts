import { endOfString } from './end-of-string.ts'

/** What a body says more than once; the last word counts. */
export interface Duplicates {
  /** In one text, for whoever is strict. */
  readonly strict: string
  /** One by one. */
  readonly warnings: readonly string[]
}

/** The fields that a JSON text has more than once, by path; `undefined` when there are none. */
export function duplicatesInJson(text: string, value: unknown): Duplicates | undefined {
  // counting is cheap, and nearly always enough
  if (countColons(text) === countFields(value)) return undefined
  const warnings = duplicateFields(text).map((path) => `duplicate field "${path}"`)
  return warnings.length === 0 ? undefined : { strict: warnings.join(', '), warnings }
}

const QUOTE = 34
const COLON = 58

function countColons(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) count++
    else if (code === QUOTE) at = endOfString(text, at)
  }
  return count
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countFields(item)
  else {
    for (const name in value) {
      count += 1 + countFields((value as Record<string, unknown>)[name])
    }
  }
  return count
}

interface Level {
  /** Of an object; `undefined` for a list. */
  readonly names: Set<string> | undefined
  readonly path: string
  index: number
  name: string
}

/** Walks through a text that is known to be JSON. */
function duplicateFields(text: string): string[] {
  const found: string[] = []
  const levels: Level[] = []
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1)
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at)
        last = JSON.parse(text.slice(at, end + 1)) as string
        at = end
        break
      }
      case ':':
        if (level?.names === undefined) break
        level.name = last
        if (level.names.has(last)) found.push(level.path === '' ? last : `${level.path}.${last}`)
        level.names.add(last)
        break
      case ',':
        if (level !== undefined) level.index++
        break
      case '{':
      case '[':
        levels.push({ names: text[at] === '{' ? new Set() : undefined, path: pathBelow(level), index: 0, name: '' })
        break
      case '}':
      case ']':
        levels.pop()
        break
    }
  }
  return [...new Set(found)]
}

function pathBelow(level: Level | undefined): string {
  if (level === undefined) return ''
  if (level.names === undefined) return `${level.path}[${level.index}]`
  return level.path === '' ? level.name : `${level.path}.${level.name}`
}

import { badRequest } from '../failures.ts'

/** Says whether labels satisfy a selector. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (b, c)`, `a notin (b, c)`, `a`, `!a`, `a>1`, `a<1`, joined by
 * commas. `undefined` when everything matches. Throws `ApiFailure` 400.
 */
export function parseLabelSelector(text: string | undefined): LabelMatcher | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const matchers = splitTopLevel(text).map((part) => parseRequirement(part.trim(), text))
  return (labels = {}) => matchers.every((matches) => matches(labels))
}

type Requirement = (labels: Readonly<Record<string, string>>) => boolean

const KEY = '([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)'
const VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/
const SET = new RegExp(String.raw`^${KEY}\s+(in|notin)\s*\(([^()]*)\)$`)
const COMPARISON = new RegExp(String.raw`^${KEY}\s*(==|=|!=|>|<)\s*(.*)$`)
const PRESENCE = new RegExp(String.raw`^(!?)\s*${KEY}$`)

function parseRequirement(part: string, whole: string): Requirement {
  const set = SET.exec(part)
  if (set !== null) {
    const [, key = '', operator, list = ''] = set
    const values = new Set(list.split(',').map((value) => checkValue(value.trim(), whole)))
    return operator === 'in'
      ? (labels) => Object.hasOwn(labels, key) && values.has(labels[key] as string)
      : (labels) => !(Object.hasOwn(labels, key) && values.has(labels[key] as string))
  }
  const comparison = COMPARISON.exec(part)
  if (comparison !== null) return compare(comparison, whole)
  const presence = PRESENCE.exec(part)
  if (presence === null) throw unparsable(whole, `found '${part}', expected: a key, '!', 'in', 'notin', '=', '!='`)
  const [, not, key = ''] = presence
  return not === '!' ? (labels) => !Object.hasOwn(labels, key) : (labels) => Object.hasOwn(labels, key)
}

function compare([, key = '', operator, text = '']: RegExpExecArray, whole: string): Requirement {
  const value = checkValue(text.trim(), whole)
  if (operator === '>' || operator === '<') {
    if (!/^-?\d+$/.test(value)) throw unparsable(whole, `'${value}' is not an integer`)
    const bound = Number(value)
    return (labels) => {
      const found = Object.hasOwn(labels, key) ? Number.parseInt(labels[key] as string, 10) : Number.NaN
      return operator === '>' ? found > bound : found < bound
    }
  }
  if (operator === '!=') return (labels) => !(Object.hasOwn(labels, key) && labels[key] === value)
  return (labels) => Object.hasOwn(labels, key) && labels[key] === value
}

function checkValue(value: string, whole: string): string {
  if (VALUE.test(value) && value.length <= 63) return value
  throw unparsable(whole, `'${value}' is not a label value`)
}

/** Commas between parentheses belong to the set. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

function unparsable(whole: string, text: string): Error {
  return badRequest(`unable to parse requirement: ${text} (in the label selector "${whole}")`)
}

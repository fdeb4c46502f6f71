import type { z } from 'zod'
import type { IssueCode } from './codes.ts'
import { nearestName } from './nearest-name.ts'

/** A text longer than this is cut in a message. */
const MAX_SHOWN = 60

/** Puts a fault that zod found into our words. Unknown fields are explained elsewhere. */
export function explainViolation(issue: z.core.$ZodIssue): { code: IssueCode; message: string } {
  const { input } = issue
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, input)
    case 'too_big':
    case 'too_small':
      return outOfBounds(issue)
    case 'invalid_value':
      return wrongChoice(issue.values, input)
    case 'invalid_format':
      return {
        code: 'invalid-value',
        message: `expected a text of the form ${issue.pattern ?? issue.format}, found ${shown(input)}`,
      }
    case 'custom':
      return custom(issue)
    default:
      return { code: 'invalid-value', message: `${issue.message}; found ${shown(input)}` }
  }
}

/** A value as it is shown in a message: `the number 3`, `a list`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return `the text ${shown(value)}`
  return `the ${typeof value} ${String(value)}`
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  // every number of these APIs is whole
  number: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

function wrongType(expected: string, input: unknown): { code: IssueCode; message: string } {
  const wanted = EXPECTED[expected] ?? expected
  if (input === undefined)
    return { code: 'required', message: `expected ${wanted}, found nothing: the field is required` }
  return { code: 'wrong-type', message: `expected ${wanted}, found ${describeValue(input)}${remedy(expected, input)}` }
}

function remedy(expected: string, input: unknown): string {
  if (expected === 'string' && (typeof input === 'number' || typeof input === 'boolean')) {
    return '; put it in quotes'
  }
  if (typeof input === 'string') {
    const isNumber = (expected === 'int' || expected === 'number') && /^-?\d+$/.test(input)
    const isFlag = expected === 'boolean' && (input === 'true' || input === 'false')
    if (isNumber || isFlag) return `; write it without quotes: ${input}`
    if (expected === 'array') return `; write it as a list: [${shown(input)}]`
  }
  if (expected === 'array' && typeof input === 'object') return "; start each item with '- '"
  return ''
}

function outOfBounds(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): { code: IssueCode; message: string } {
  const big = issue.code === 'too_big'
  const bound = big ? issue.maximum : issue.minimum
  const limit = `at ${big ? 'most' : 'least'} ${bound}`
  const { input } = issue
  if (issue.origin !== 'string') {
    return { code: 'invalid-value', message: `expected ${limit}, found ${shown(input)}` }
  }
  const length = typeof input === 'string' ? [...input].length : 0
  return {
    code: big ? 'too-long' : 'too-short',
    message: `expected ${limit} character${bound === 1 ? '' : 's'}, found ${length === 0 ? 'none' : length}`,
  }
}

function wrongChoice(values: readonly unknown[], input: unknown): { code: IssueCode; message: string } {
  const wanted = values.map((value) => (value === '' ? '""' : String(value))).join(' or ')
  if (input === undefined)
    return { code: 'required', message: `expected ${wanted}, found nothing: the field is required` }
  if (typeof input !== 'string')
    return { code: 'wrong-type', message: `expected ${wanted}, found ${describeValue(input)}` }
  const nearest = values.length > 1 ? nearestName(input, values.map(String)) : undefined
  const hint = nearest === undefined || nearest === '' ? '' : `; did you mean ${nearest}?`
  return { code: 'invalid-value', message: `expected ${wanted}, found ${shown(input)}${hint}` }
}

function custom(issue: z.core.$ZodIssueCustom): { code: IssueCode; message: string } {
  const { message, params, input } = issue
  if (input === undefined) return { code: 'required', message: `${message}: the field is required` }
  const code = params?.code as IssueCode | undefined
  if (code !== undefined) return { code, message }
  const wrongType = params?.wrongType as ((input: unknown) => boolean) | undefined
  return { code: wrongType?.(input) === true ? 'wrong-type' : 'invalid-value', message }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
}

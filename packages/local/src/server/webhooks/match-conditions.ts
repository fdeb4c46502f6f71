import type { Environment, ParseResult } from '@marcbachmann/cel-js'
import { ruleEnvironment } from '../crd/cel/environment.ts'
import { withOwnHas } from '../crd/cel/has-macro.ts'
import type { MatchCondition } from './configuration.ts'

/** What conditions can see. */
export interface ConditionInput {
  readonly object: unknown
  readonly oldObject: unknown
  /** The `request` of the AdmissionReview, without its objects. */
  readonly request: object
}

/** What conditions say: whether the webhook is asked, or why that cannot be told. */
export type ConditionVerdict = { readonly matches: boolean } | { readonly fault: string }

/** Asks all conditions: one that does not hold is enough for no, whatever is wrong with others. */
export type ConditionMatcher = (input: ConditionInput) => ConditionVerdict

/** Compiles the conditions of a webhook (source: apiserver, plugin/webhook/matchconditions). */
export function compileConditions(conditions: readonly MatchCondition[]): ConditionMatcher {
  const environment = conditionEnvironment()
  const programs = conditions.map(({ expression }) => compile(environment, expression))
  return ({ object, oldObject, request }) => {
    const variables = {
      object: numbersToCel(object),
      oldObject: numbersToCel(oldObject),
      request: numbersToCel(request),
      authorizer: EVERYTHING,
    }
    const faults: string[] = []
    for (const program of programs) {
      try {
        if (program instanceof Error) throw program
        if (program(variables) !== true) return { matches: false }
      } catch (error) {
        faults.push(
          `expression '${conditions[programs.indexOf(program)]?.expression}' resulted in error: ${firstLine(error)}`,
        )
      }
    }
    return faults.length === 0
      ? { matches: true }
      : { fault: faults.length === 1 ? `${faults[0]}` : `[${faults.join(', ')}]` }
  }
}

/** Why an expression cannot be a condition; `undefined` when it can. */
export function conditionFault(expression: string): string | undefined {
  const program = compile(conditionEnvironment(), expression)
  if (program instanceof Error) return `compilation failed: ${firstLine(program)}`
  const { valid, type, error } = program.check()
  if (!valid) return `compilation failed: ${firstLine(error)}`
  return type === 'bool' || type === 'dyn' ? undefined : 'must evaluate to bool'
}

function compile(environment: Environment, expression: string): ParseResult | Error {
  try {
    return environment.parse(withOwnHas(expression))
  } catch (error) {
    return error as Error
  }
}

function firstLine(error: unknown): string {
  const { summary, message = 'unknown' } = (error ?? {}) as { summary?: string; message?: string }
  const line = (summary ?? message).split('\n')[0] ?? ''
  return line.charAt(0).toLowerCase() + line.slice(1)
}

/** Whoever is let in may do everything here, so every question about that has one answer. */
class Authorizer {}
class Decision {}
const EVERYTHING = new Authorizer()

let made: Environment | undefined

function conditionEnvironment(): Environment {
  if (made !== undefined) return made
  let environment = ruleEnvironment()
    .registerType('Authorizer', { ctor: Authorizer, fields: {} })
    .registerType('Decision', { ctor: Decision, fields: {} })
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn')
    .registerVariable('request', 'dyn')
    .registerVariable('authorizer', 'Authorizer')
  for (const step of ['path', 'group', 'resource', 'subresource', 'namespace', 'name']) {
    environment = environment.registerFunction(`Authorizer.${step}(string): Authorizer`, (self: Authorizer) => self)
  }
  made = environment
    .registerFunction('Authorizer.serviceAccount(string, string): Authorizer', (self: Authorizer) => self)
    .registerFunction('Authorizer.check(string): Decision', () => new Decision())
    .registerFunction('Decision.allowed(): bool', () => true)
    .registerFunction('Decision.errored(): bool', () => false)
    .registerFunction('Decision.reason(): string', () => '')
    .registerFunction('Decision.error(): string', () => '')
  return made
}

/** Whole numbers are integers in CEL. */
function numbersToCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(numbersToCel)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, numbersToCel(child)]))
}

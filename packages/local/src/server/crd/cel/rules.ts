import { type Environment, Optional, type ParseResult } from '@marcbachmann/cel-js'
import { Duration } from '@marcbachmann/cel-js/evaluator'
import { equal } from '../../../object/equal.ts'
import type { Cause } from '../../failures.ts'
import { itemsByKey } from '../check-value.ts'
import {
  childOf,
  eachSchema,
  isObject,
  itemKey,
  pathTo,
  type StructuralSchema,
  type ValidationRule,
} from '../structural-schema.ts'
import { ruleEnvironment } from './environment.ts'
import { withOwnHas } from './has-macro.ts'
import { escapedName, toCel } from './to-cel.ts'

/** The rules of a schema, ready to be asked. */
export interface Rules {
  /** What the rules object to; on an update with the object before. */
  check(object: unknown, old?: unknown): Cause[]
  /** What is wrong with the rules themselves, by the path of the schema that holds them. */
  faults(path: string): Cause[]
}

interface CompiledRule {
  readonly rule: ValidationRule
  readonly program: ParseResult | Error
  readonly message: ParseResult | undefined
  /** It compares with what was before. */
  readonly transition: boolean
}

const types = { duration: (seconds: bigint, nanos: number) => new Duration(seconds, nanos) }

/** Compiles all rules of a schema. A rule that cannot be compiled refuses every object, and `faults` says why. */
export function compileRules(schema: StructuralSchema): Rules {
  const environment = ruleEnvironment()
  const compiled = new Map<StructuralSchema, readonly CompiledRule[]>()
  const withRules = new Set<StructuralSchema>()
  collect(schema)

  function collect(node: StructuralSchema): boolean {
    const rules = node['x-kubernetes-validations'] ?? []
    if (rules.length > 0)
      compiled.set(
        node,
        rules.map((rule) => compileRule(environment, rule)),
      )
    const children = [...Object.values(node.properties ?? {}), node.items, node.additionalProperties]
    let found = rules.length > 0
    for (const child of children) if (isObject(child)) found = collect(child as StructuralSchema) || found
    if (found) withRules.add(node)
    return found
  }

  function walk(node: Place, before: Before | undefined, causes: Cause[]): void {
    const { value, schema: known } = node
    if (!withRules.has(known) || value === null || value === undefined) return
    const same = before !== undefined && equal(value, before.value)
    for (const rule of compiled.get(known) ?? []) ask(rule, node, before, same, causes)
    if (Array.isArray(value)) walkItems(node, value, before, causes)
    else if (isObject(value)) walkFields(node, value, before, causes)
  }

  function walkFields(
    { cel, schema: known, path }: Place,
    object: Readonly<Record<string, unknown>>,
    before: Before | undefined,
    causes: Cause[],
  ): void {
    for (const [name, child] of Object.entries(object)) {
      const schemaOfChild = childOf(known, name)
      if (schemaOfChild === undefined || !withRules.has(schemaOfChild)) continue
      const declared = known.properties !== undefined && Object.hasOwn(known.properties, name)
      const celName = declared ? escapedName(name) : name
      const at = declared ? pathTo(path, name) : `${path}[${name}]`
      const was = isObject(before?.value) && Object.hasOwn(before.value, name)
      walk(
        { value: child, cel: field(cel, celName), schema: schemaOfChild, path: at },
        was ? { value: field(before?.value, name), cel: field(before?.cel, celName) } : undefined,
        causes,
      )
    }
  }

  function walkItems(place: Place, list: readonly unknown[], before: Before | undefined, causes: Cause[]): void {
    const { cel, schema: known, path } = place
    const { items } = known
    if (items === undefined || !withRules.has(items)) return
    const was = itemsByKey(known, before?.value)
    for (const [index, item] of list.entries()) {
      const old = was?.get(itemKey(known, item) ?? '')
      walk(
        { value: item, cel: (cel as unknown[])[index], schema: items, path: pathTo(path, index) },
        old === undefined ? undefined : { value: old, cel: toCel(old, items, types) },
        causes,
      )
    }
  }

  return {
    check(object, old) {
      const causes: Cause[] = []
      if (withRules.size === 0) return causes
      walk(
        { value: object, cel: toCel(object, schema, types, true), schema, path: '' },
        old === undefined ? undefined : { value: old, cel: toCel(old, schema, types, true) },
        causes,
      )
      return causes
    },
    faults(path) {
      const causes: Cause[] = []
      eachSchema(schema, path, (node, at) => {
        for (const [index, rule] of (compiled.get(node) ?? []).entries()) {
          causes.push(...ruleFaults(rule, `${at}.x-kubernetes-validations[${index}]`))
        }
      })
      return causes
    },
  }
}

function ruleFaults({ program, rule, message }: CompiledRule, path: string): Cause[] {
  const fault = program instanceof Error ? program.message : typeFault(program, 'bool')
  const other = message === undefined ? undefined : typeFault(message, 'string')
  return [
    ...(fault === undefined ? [] : [invalidRule(`${path}.rule`, rule.rule, fault)]),
    ...(other === undefined ? [] : [invalidRule(`${path}.messageExpression`, rule.messageExpression, other)]),
  ]
}

interface Before {
  readonly value: unknown
  readonly cel: unknown
}

interface Place extends Before {
  readonly schema: StructuralSchema
  readonly path: string
}

function compileRule(environment: Environment, rule: ValidationRule): CompiledRule {
  const transition = /\boldSelf\b/.test(rule.rule)
  try {
    return {
      rule,
      transition,
      program: environment.parse(withOwnHas(rule.rule)),
      message: rule.messageExpression === undefined ? undefined : environment.parse(withOwnHas(rule.messageExpression)),
    }
  } catch (error) {
    return { rule, transition, program: error as Error, message: undefined }
  }
}

function typeFault(program: ParseResult, expected: string): string | undefined {
  const { valid, type, error } = program.check()
  if (!valid) return error?.message
  return type === expected || type === 'dyn' ? undefined : `must evaluate to a ${expected}, found ${type}`
}

function invalidRule(field: string, rule: unknown, fault: string): Cause {
  const text = `compilation failed: ${fault.split('\n')[0]}`
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(rule)}: ${text}` }
}

function field(object: unknown, name: string): unknown {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** Asks one rule about one value. What an update does not touch keeps its old faults. */
function ask(
  { rule, program, message, transition }: CompiledRule,
  { cel, value, path }: Place,
  before: Before | undefined,
  same: boolean,
  causes: Cause[],
): void {
  if (transition && before === undefined && rule.optionalOldSelf !== true) return
  if (!transition && same) return
  const oldSelf =
    rule.optionalOldSelf === true ? (before === undefined ? Optional.none() : Optional.of(before.cel)) : before?.cel
  const variables = { self: cel, ...(transition && { oldSelf }) }
  let fault: string | undefined
  try {
    if (program instanceof Error) throw program
    if (program(variables) === true) return
  } catch (error) {
    fault = `${firstLine(error)} evaluating rule: ${rule.message ?? rule.rule}`
  }
  const text = fault ?? said(message, variables) ?? rule.message?.trim() ?? `failed rule: ${rule.rule}`
  const { reason, prefix, shows } = REASONS[rule.reason ?? ''] ?? INVALID
  // only what is short is shown
  const shown = shows && typeof value !== 'object' ? `${JSON.stringify(value)}: ` : ''
  const at = `${path}${rule.fieldPath ?? ''}`.replace(/^\./, '')
  causes.push({ reason, field: at === '' ? '<nil>' : at, message: `${prefix}: ${shown}${text}` })
}

function said(message: ParseResult | undefined, variables: object): string | undefined {
  if (message === undefined) return undefined
  try {
    const text: unknown = message(variables as Record<string, unknown>)
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text : undefined
  } catch {
    // the rule's own message stands in
    return undefined
  }
}

function firstLine(error: unknown): string {
  const { summary, message } = error as { summary?: string; message: string }
  return (summary ?? message).split('\n')[0] ?? ''
}

const INVALID = { reason: 'FieldValueInvalid', prefix: 'Invalid value', shows: true } as const
const REASONS: Readonly<Record<string, { readonly reason: string; readonly prefix: string; readonly shows: boolean }>> =
  {
    FieldValueInvalid: INVALID,
    FieldValueForbidden: { reason: 'FieldValueForbidden', prefix: 'Forbidden', shows: false },
    FieldValueRequired: { reason: 'FieldValueRequired', prefix: 'Required value', shows: false },
    FieldValueDuplicate: { reason: 'FieldValueDuplicate', prefix: 'Duplicate value', shows: true },
  }

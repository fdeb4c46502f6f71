import type { z } from 'zod'
import type { FieldPath } from '../field-path.ts'
import type { IssueCode } from './codes.ts'
import { withoutNullFields } from './null-fields.ts'
import { explainUnknownField } from './unknown-field.ts'
import { explainViolation } from './violation.ts'

/** A fault at a place, not yet tied to an object or a file. */
export interface Fault {
  readonly path: FieldPath
  readonly code: IssueCode
  readonly message: string
}

export interface Faults {
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
}

/**
 * Checks a value and explains every fault in it. Fields that are null count as left out.
 *
 * @param keepsUnknown says where fields that the schema does not know are kept: there they are no errors, and one that
 * looks like a slip of the pen is a warning.
 */
export function checkSchema(
  schema: z.ZodType,
  value: unknown,
  keepsUnknown: (path: FieldPath) => boolean = () => false,
): Faults {
  const jitless = !isWorthCompiling(schema)
  const result = schema.safeParse(withoutNullFields(value, schema), { reportInput: true, jitless })
  const errors: Fault[] = []
  const warnings: Fault[] = []
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path as FieldPath
    if (issue.code === 'unrecognized_keys') {
      const kept = keepsUnknown(path)
      for (const key of issue.keys) {
        const { message, nearest } = explainUnknownField(schema, path, key)
        const fault: Fault = { path: [...path, key], code: 'unknown-field', message }
        if (!kept) errors.push(fault)
        else if (nearest !== undefined) warnings.push({ ...fault, message: `${message} It is kept as it is.` })
      }
    } else {
      errors.push({ path, ...explainViolation(issue) })
    }
  }
  return { errors, warnings }
}

/** Compiling a checker costs more than it saves before some hundred objects: a command checks one, a server thousands. */
const COMPILED_AFTER = 200

const checks = new WeakMap<z.ZodType, number>()

function isWorthCompiling(schema: z.ZodType): boolean {
  const count = checks.get(schema) ?? 0
  if (count === COMPILED_AFTER) return true
  checks.set(schema, count + 1)
  return false
}

import { objectMeta } from '../schema/metadata.ts'
import { TRAINER_API_VERSION, TRAINER_GROUP } from '../trainer/types.ts'
import { checkSchema, type Fault, type Faults } from './check-schema.ts'
import { knownFailures } from './known-failures.ts'
import { nearestName } from './nearest-name.ts'
import { CHECKED_KINDS, objectRulesOf } from './object-rules.ts'
import { describeValue } from './violation.ts'

/**
 * Checks any object: ours by their schema, others only for apiVersion, kind and name. All faults are found at once;
 * the object is not changed.
 */
export function checkObject(object: unknown): Faults {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    const message = `expected an object with apiVersion, kind and metadata, found ${describeValue(object)}`
    return { errors: [{ path: [], code: 'wrong-type', message }], warnings: [] }
  }
  const { apiVersion, kind } = object as Record<string, unknown>
  const errors = checkType(apiVersion, kind)
  const rules = objectRulesOf(object)
  const faults =
    rules !== undefined
      ? checkSchema(rules.schema, object, rules.keepsUnknown)
      : checkOther(object as Record<string, unknown>)
  // what was said about apiVersion and kind is not said twice
  const rest = faults.errors.filter(({ path }) => path[0] !== 'apiVersion' && path[0] !== 'kind')
  const warnings = rules === undefined ? [] : knownFailures(object)
  return { errors: [...errors, ...rest], warnings: [...faults.warnings, ...warnings] }
}

function checkType(apiVersion: unknown, kind: unknown): Fault[] {
  const errors: Fault[] = []
  for (const [field, value, example] of [
    ['apiVersion', apiVersion, TRAINER_API_VERSION],
    ['kind', kind, 'TrainJob'],
  ] as const) {
    if (value === undefined || value === null || value === '') {
      const message = `expected ${field}, found nothing: the field is required, for example ${field}: ${example}`
      errors.push({ path: [field], code: 'required', message })
    } else if (typeof value !== 'string') {
      errors.push({ path: [field], code: 'wrong-type', message: `expected a text, found ${describeValue(value)}` })
    }
  }
  if (typeof apiVersion === 'string' && typeof kind === 'string') errors.push(...checkServed(apiVersion, kind))
  return errors
}

function checkServed(apiVersion: string, kind: string): Fault[] {
  if (!apiVersion.startsWith(`${TRAINER_GROUP}/`)) {
    if (!CHECKED_KINDS.includes(kind) || apiVersion === '') return []
    const message = `expected ${TRAINER_API_VERSION} for a ${kind}, found ${JSON.stringify(apiVersion)}`
    return [{ path: ['apiVersion'], code: 'invalid-value', message }]
  }
  const errors: Fault[] = []
  if (apiVersion !== TRAINER_API_VERSION) {
    const message = `expected ${TRAINER_API_VERSION}, found ${JSON.stringify(apiVersion)}`
    errors.push({ path: ['apiVersion'], code: 'invalid-value', message })
  }
  if (!CHECKED_KINDS.includes(kind)) {
    const nearest = nearestName(kind, CHECKED_KINDS)
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
    const message = `expected one of ${CHECKED_KINDS.join(', ')}, found ${JSON.stringify(kind)}${hint}`
    errors.push({ path: ['kind'], code: 'not-supported-kind', message })
  }
  return errors
}

function checkOther(object: Readonly<Record<string, unknown>>): Faults {
  const { metadata } = object
  if (metadata === undefined || metadata === null) {
    const message = 'expected an object with a name, found nothing: the field is required'
    return { errors: [{ path: ['metadata'], code: 'required', message }], warnings: [] }
  }
  const { errors } = checkSchema(objectMeta, metadata)
  const named = errors.filter(({ path, code }) => path.length === 0 || (path[0] === 'name' && code !== 'invalid-value'))
  return { errors: named.map((fault) => ({ ...fault, path: ['metadata', ...fault.path] })), warnings: [] }
}

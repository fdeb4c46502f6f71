import { formatFieldPath } from '../field-path.ts'
import type { Findings, Issue } from '../issue.ts'
import type { Fault, Faults } from './check-schema.ts'

/** Where a fault is told to be. */
export interface FaultSource {
  readonly file?: string
  lineOf?(path: Fault['path']): number
}

/** Ties faults to the object they are in and to the place it was read from. */
export function findingsOf(faults: Faults, object: unknown, source: FaultSource = {}): Findings {
  const identity = identityOf(object)
  const toIssue = (fault: Fault): Issue => issueOf(fault, identity, source)
  return { errors: faults.errors.map(toIssue), warnings: faults.warnings.map(toIssue) }
}

export function issueOf(fault: Fault, object: Issue['object'], source: FaultSource = {}): Issue {
  const { path, code, message } = fault
  const { file } = source
  const line = source.lineOf?.(path)
  return {
    path: formatFieldPath(path),
    code,
    message,
    object,
    ...(file !== undefined ? { file } : {}),
    ...(line !== undefined ? { line } : {}),
  }
}

/** Kind, namespace and name as far as the object has them; empty texts for the rest. */
export function identityOf(object: unknown): Issue['object'] {
  const { kind, metadata } = fieldsOf(object)
  const { namespace, name } = fieldsOf(metadata)
  return { kind: textOf(kind), namespace: textOf(namespace), name: textOf(name) }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

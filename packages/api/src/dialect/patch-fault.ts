import type { FieldPath } from '../field-path.ts'
import { fieldsOf } from './draft.ts'

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** What is wrong with the form of an operation of RFC 6902; where it leads is seen when it is applied. */
export function patchFault(operation: unknown): { readonly path: FieldPath; readonly message: string } | undefined {
  const { op, path, from, ...rest } = fieldsOf(operation)
  if (typeof op !== 'string' || !OPERATIONS.includes(op)) {
    return { path: ['op'], message: `expected one of ${OPERATIONS.join(', ')}, found ${shown(op)}` }
  }
  if (!isPointer(path)) return { path: ['path'], message: notAPointer(path) }
  if (op === 'move' || op === 'copy') {
    if (!isPointer(from)) return { path: ['from'], message: notAPointer(from) }
  } else if (op !== 'remove' && rest.value === undefined) {
    return { path: ['value'], message: `expected a value to ${op}, found nothing; add value: …` }
  }
  return undefined
}

function isPointer(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/')
}

function notAPointer(path: unknown): string {
  return `expected a path that begins with /, like /spec/replicatedJobs/0/template, found ${shown(path)}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

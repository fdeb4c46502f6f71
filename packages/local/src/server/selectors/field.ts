import type { KubeObject } from '@trainjob/kube'
import { badRequest } from '../failures.ts'
import { pathWithOtherNames } from '../other-names.ts'
import type { ServedResource } from '../served-resource.ts'

/** Says whether an object satisfies a selector. */
export type FieldMatcher = (object: KubeObject) => boolean

/**
 * Reads a field selector: `a.b=c`, `a.b==c`, `a.b!=c`, joined by commas; a missing field counts as the empty text.
 * `undefined` when everything matches. Throws `ApiFailure` 400 for fields that the kind has no selector for.
 */
export function parseFieldSelector(text: string | undefined, resource: ServedResource): FieldMatcher | undefined {
  if (text === undefined || text === '') return undefined
  const matchers = splitUnescaped(text, ',')
    .filter((part) => part !== '')
    .map((part) => parseTerm(part, text, resource))
  return (object) => matchers.every((matches) => matches(object))
}

function parseTerm(part: string, whole: string, resource: ServedResource): FieldMatcher {
  const found = /^([^=!]+)(==|!=|=)(.*)$/.exec(part)
  if (found === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`)
  const [, field = '', operator, escaped = ''] = found
  const value = escaped.replaceAll(/\\([\\,=])/g, '$1')
  const known = field === 'metadata.name' || field === 'metadata.namespace'
  if (!known && resource.fieldSelectors?.includes(field) !== true) throw unsupported(field, resource)
  const { fieldNames } = resource
  const path = (fieldNames === undefined ? field : pathWithOtherNames(field, fieldNames)).split('.')
  const wanted = operator !== '!='
  return (object) => (textAt(object, path) === value) === wanted
}

function unsupported(field: string, resource: ServedResource): Error {
  if (resource.custom === true) return badRequest(`field label not supported: ${field}`)
  return resource.fieldSelectors === undefined
    ? badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`)
    : badRequest(`field label not supported: ${field}`)
}

function textAt(object: KubeObject, path: readonly string[]): string {
  let value: unknown = object
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return ''
    value = (value as Record<string, unknown>)[part]
  }
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === separator) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

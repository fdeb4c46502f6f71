import { type Cause, invalid } from './failures.ts'
import type { ServedResource } from './served-resource.ts'

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
/** What a subdomain is, in the words of a real server. */
export const SUBDOMAIN_RULE: string =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** Kinds whose names are one DNS label; all others are subdomains. */
const LABEL_KINDS = new Set(['Namespace', 'Service'])

/** Throws `ApiFailure` 422 when an object of the kind cannot have this name. */
export function checkName(resource: ServedResource, name: string): void {
  const label = LABEL_KINDS.has(resource.kind)
  const cause = label ? labelCause(name) : subdomainCause(name)
  if (cause !== undefined) throw invalid(resource, name, [cause])
}

/** The part of a generated name that its random end is put behind; all names that come out have at most 63 characters. */
export function generatedNameBase(generateName: string): string {
  return generateName.slice(0, 58)
}

function labelCause(name: string): Cause | undefined {
  if (name.length > 63) return invalidName(name, 'must be no more than 63 characters')
  if (LABEL.test(name)) return undefined
  return invalidName(
    name,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  )
}

function subdomainCause(name: string): Cause | undefined {
  if (name.length > 253) return invalidName(name, 'must be no more than 253 characters')
  if (isSubdomain(name)) return undefined
  return invalidName(name, SUBDOMAIN_RULE)
}

function invalidName(name: string, text: string): Cause {
  return {
    reason: 'FieldValueInvalid',
    field: 'metadata.name',
    message: `Invalid value: ${JSON.stringify(name)}: ${text}`,
  }
}

/** Whether a text is labels in lower case with dots between them (RFC 1123). */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text)
}

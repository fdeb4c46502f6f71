/**
 * The forms of names that Kubernetes accepts. Each check answers with what is wrong, or nothing.
 * Source: k8s.io/apimachinery, pkg/util/validation/validation.go.
 */

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const QUALIFIED_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

/** Characters of a DNS label. */
export const DNS_LABEL_MAX_LENGTH = 63
/** Characters of a DNS subdomain. */
export const DNS_SUBDOMAIN_MAX_LENGTH = 253
/** Of keys and values of all annotations together, in bytes of UTF-8. */
export const ANNOTATIONS_MAX_BYTES: number = 256 * 1024

/**
 * DNS-1123 label: names of namespaces, containers, volumes.
 *
 * @example
 * dnsLabelFault('node-0') // => undefined
 * dnsLabelFault('Node')
 * // => "expected lower-case letters, digits and '-', with a letter or digit at both ends; found \"Node\""
 */
export function dnsLabelFault(name: string): string | undefined {
  return fault(
    name,
    LABEL,
    DNS_LABEL_MAX_LENGTH,
    "lower-case letters, digits and '-', with a letter or digit at both ends",
  )
}

/**
 * DNS-1123 subdomain: names of most objects.
 *
 * @example
 * dnsSubdomainFault('torch-2.9') // => undefined
 * dnsSubdomainFault('a'.repeat(254)) // => 'expected at most 253 characters, found 254'
 */
export function dnsSubdomainFault(name: string): string | undefined {
  return fault(
    name,
    SUBDOMAIN,
    DNS_SUBDOMAIN_MAX_LENGTH,
    "lower-case letters, digits, '-' and '.', with a letter or digit at both ends of each part",
  )
}

/**
 * DNS-1035 label: names of services, and so of TrainJobs.
 *
 * @example
 * dns1035LabelFault('mnist') // => undefined
 * dns1035LabelFault('m'.repeat(64)) // => 'expected at most 63 characters, found 64'
 */
export function dns1035LabelFault(name: string): string | undefined {
  return fault(
    name,
    LABEL_1035,
    DNS_LABEL_MAX_LENGTH,
    "lower-case letters, digits and '-', with a letter at the start and a letter or digit at the end",
  )
}

/**
 * Key of a label or annotation, name of a resource: `name` or `prefix/name`.
 *
 * @example
 * qualifiedNameFault('nvidia.com/gpu') // => undefined
 * qualifiedNameFault('/gpu')?.startsWith("the part before '/'") // => true
 */
export function qualifiedNameFault(name: string): string | undefined {
  const slash = name.indexOf('/')
  const prefix = name.slice(0, Math.max(0, slash))
  const part = name.slice(slash + 1)
  if (slash !== -1) {
    const wrong = dnsSubdomainFault(prefix)
    if (wrong !== undefined) return `the part before '/': ${wrong}`
  }
  return fault(
    part,
    QUALIFIED_PART,
    63,
    "letters, digits, '-', '_' and '.', with a letter or digit at both ends, and at most one '/'",
  )
}

/**
 * Value of a label. It may be empty.
 *
 * @example
 * labelValueFault('') // => undefined
 * labelValueFault('v'.repeat(64)) // => 'expected at most 63 characters, found 64'
 */
export function labelValueFault(value: string): string | undefined {
  if (value === '') return undefined
  return fault(value, QUALIFIED_PART, 63, "letters, digits, '-', '_' and '.', with a letter or digit at both ends")
}

function fault(name: string, form: RegExp, max: number, allowed: string): string | undefined {
  if (name === '') return `expected at least one character: ${allowed}; found nothing`
  if (name.length > max) return `expected at most ${max} characters, found ${name.length}`
  return form.test(name) ? undefined : `expected ${allowed}; found ${JSON.stringify(name)}`
}

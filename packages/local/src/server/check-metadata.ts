import type { ObjectMeta, OwnerReference } from '@trainjob/kube'
import { invalidValue } from './causes.ts'
import type { Cause } from './failures.ts'
import { isSubdomain, SUBDOMAIN_RULE } from './object-names.ts'
import type { ServedResource } from './served-resource.ts'

const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const MAX_LENGTH = 63
const MAX_ANNOTATION_BYTES = 256 * 1024
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

const CHARACTERS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const NAME_RULE = `${CHARACTERS} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/**
 * What is wrong with the metadata of an object, its name aside; what an update leaves as it was is not looked at
 * (source: apimachinery, pkg/api/validation/objectmeta.go).
 */
export function checkMetadata(
  resource: ServedResource,
  { labels, annotations, finalizers, ownerReferences }: ObjectMeta,
  old: ObjectMeta | undefined,
): readonly Cause[] {
  const causes: Cause[] = []
  if (labels !== undefined && labels !== old?.labels) checkLabels(labels, causes)
  if (annotations !== undefined && annotations !== old?.annotations) checkAnnotations(annotations, causes)
  if (ownerReferences !== undefined && ownerReferences !== old?.ownerReferences) checkOwners(ownerReferences, causes)
  if (finalizers !== undefined && finalizers !== old?.finalizers) checkFinalizers(resource, finalizers, causes)
  return causes
}

function checkLabels(labels: Readonly<Record<string, string>>, causes: Cause[]): void {
  const at = 'metadata.labels'
  for (const [key, value] of Object.entries(labels)) {
    for (const text of nameFaults(key)) causes.push(invalidValue(at, key, text))
    if (value.length > MAX_LENGTH) causes.push(invalidValue(at, value, `must be no more than ${MAX_LENGTH} characters`))
    if (!LABEL_VALUE.test(value)) causes.push(invalidValue(at, value, VALUE_RULE))
  }
}

function checkAnnotations(annotations: Readonly<Record<string, string>>, causes: Cause[]): void {
  const at = 'metadata.annotations'
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    for (const text of nameFaults(key.toLowerCase())) causes.push(invalidValue(at, key, text))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (bytes <= MAX_ANNOTATION_BYTES) return
  const message = `Too long: may not be more than ${MAX_ANNOTATION_BYTES} bytes`
  causes.push({ reason: 'FieldValueTooLong', field: at, message })
}

/** What is wrong with a name that may have a domain in front: `example.com/name`. */
function nameFaults(name: string): readonly string[] {
  const slash = name.indexOf('/')
  const part = name.slice(slash + 1)
  if (part.includes('/')) {
    return [`a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const faults: string[] = []
  const prefix = slash < 0 ? undefined : name.slice(0, slash)
  if (prefix === '') faults.push('prefix part must be non-empty')
  else if (prefix !== undefined && !isSubdomain(prefix)) faults.push(`prefix part ${SUBDOMAIN_RULE}`)
  if (part === '') faults.push('name part must be non-empty')
  else if (part.length > MAX_LENGTH) faults.push(`name part must be no more than ${MAX_LENGTH} characters`)
  if (!NAME_PART.test(part)) faults.push(`name part ${NAME_RULE}`)
  return faults
}

function checkOwners(owners: readonly OwnerReference[], causes: Cause[]): void {
  const at = 'metadata.ownerReferences'
  const controllers: string[] = []
  for (const { apiVersion, kind, name, uid, controller } of owners) {
    if (!apiVersion) causes.push(invalidValue(`${at}.apiVersion`, apiVersion ?? '', 'version must not be empty'))
    for (const [field, value] of [
      ['kind', kind],
      ['name', name],
      ['uid', uid],
    ] as const) {
      if (!value) causes.push(invalidValue(`${at}.${field}`, value ?? '', 'must not be empty'))
    }
    if (controller === true) controllers.push(name)
  }
  if (controllers.length < 2) return
  const text = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]} and ${controllers[1]}`
  causes.push(invalidValue(at, owners, text))
}

function checkFinalizers(resource: ServedResource, finalizers: readonly string[], causes: Cause[]): void {
  for (const [index, name] of finalizers.entries()) {
    const at = `metadata.finalizers[${index}]`
    const faults = nameFaults(name)
    for (const text of faults) causes.push(invalidValue(at, name, text))
    if (faults.length > 0 || resource.custom === true || name.includes('/') || STANDARD_FINALIZERS.has(name)) continue
    causes.push(invalidValue(at, name, 'name is neither a standard finalizer name nor is it fully qualified'))
  }
}

import { apiVersionOf, type KubeObject, type ObjectMeta } from '@trainjob/kube'
import { withoutNulls } from '../../object/without-nulls.ts'
import type { WriteParameters } from '../api-call.ts'
import type { ObjectSchema } from '../crd/object-schema.ts'
import { badRequest, invalid } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'
import { conform, type TypeFault } from './conform.ts'
import { structOf } from './struct-of.ts'
import { reportUnknownFields } from './unknown-fields.ts'

/**
 * Reads a body as an object of the kind: checks the types of its fields, drops those that the kind does not have, and
 * nulls. Built-in kinds may leave `apiVersion` and `kind` out, as on the real server. `trusted` is an object whose parts
 * have been read before. Throws `ApiFailure` 400, and 422 for wrong types in custom kinds.
 */
export function decodeObject(
  body: unknown,
  resource: ServedResource,
  parameters: WriteParameters,
  trusted?: KubeObject,
): KubeObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): expected a JSON object, found ${describe(body)}`,
    )
  }
  const { apiVersion, kind, metadata = {} } = body as Partial<KubeObject>
  const expected = apiVersionOf(resource)
  if (resource.custom === true && (kind === undefined || kind === '')) {
    throw badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: Object 'Kind' is missing in '${JSON.stringify(body).slice(0, 200)}'`,
    )
  }
  if (apiVersion !== undefined && apiVersion !== '' && apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  }
  if (kind !== undefined && kind !== '' && kind !== resource.kind) {
    throw badRequest(
      `${kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: converting (${resource.version}.${kind}) to (${resource.group.split('.', 1)[0] || 'core'}.${resource.kind}): unknown conversion`,
    )
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw cannotHandle(resource, `metadata must be an object, found ${describe(metadata)}`)
  }
  checkMetadata(metadata, resource)
  const object = { ...body, apiVersion: expected, kind: resource.kind, metadata: withoutEmpty(metadata) }
  if (resource.schema !== undefined) return pruned(object as KubeObject, resource, resource.schema, parameters)
  const struct = structOf(resource)
  if (struct === undefined) {
    reportUnknownFields(resource, [], parameters)
    // the schemas of custom kinds know no null: it says nothing, as in a pruned object
    return (resource.custom === true ? withoutNulls(object, trusted) : object) as KubeObject
  }
  const { value, unknown, faults } = conform(object, struct, trusted)
  if (faults.length > 0) throw wrongTypes(resource, object.metadata.name ?? '', faults)
  reportUnknownFields(resource, unknown, parameters)
  return value as KubeObject
}

/** Nulls are values where a schema says so; metadata has none. */
function pruned(
  object: KubeObject,
  resource: ServedResource,
  schema: ObjectSchema,
  parameters: WriteParameters,
): KubeObject {
  const metadata = withoutNulls(object.metadata) as ObjectMeta
  const { value, unknown } = schema.prune(metadata === object.metadata ? object : { ...object, metadata })
  reportUnknownFields(resource, unknown, parameters)
  return value as KubeObject
}

function wrongTypes(resource: ServedResource, name: string, faults: readonly TypeFault[]): Error {
  if (resource.custom !== true) {
    const texts = faults.map(
      ({ path, expected, found }) => `${path} must be ${article(expected)}, found ${describe(found)}`,
    )
    return cannotHandle(resource, texts.join('; '))
  }
  return invalid(
    resource,
    name,
    faults.map(({ path, expected, found }) => ({
      reason: 'FieldValueTypeInvalid',
      field: path,
      message: `Invalid value: ${describe(typeName(found))}: ${path} in body must be of type ${expected}: ${describe(found)}`,
    })),
  )
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

const LEFT_OUT_WHEN_EMPTY = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** Metadata has one form for nothing: a patch that removes the last label must not leave an empty map behind. */
function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  let result: ObjectMeta | undefined
  for (const field of LEFT_OUT_WHEN_EMPTY) {
    const value: object | null | undefined = metadata[field]
    if (value === undefined || (value !== null && Object.keys(value).length > 0)) continue
    result ??= { ...metadata }
    delete result[field]
  }
  return result ?? metadata
}

const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const
const TEXT_MAPS = ['labels', 'annotations'] as const

function checkMetadata(metadata: ObjectMeta, resource: ServedResource): void {
  for (const field of TEXTS) {
    const value: unknown = metadata[field]
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw cannotHandle(resource, `metadata.${field} must be a string, found ${describe(value)}`)
    }
  }
  for (const field of TEXT_MAPS) {
    const value: unknown = metadata[field] ?? {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw cannotHandle(resource, `metadata.${field} must be a map of strings, found ${describe(value)}`)
    }
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string') {
        throw cannotHandle(resource, `metadata.${field}["${key}"] must be a string, found ${describe(text)}`)
      }
    }
  }
  for (const field of ['finalizers', 'ownerReferences'] as const) {
    const value: unknown = metadata[field]
    if (value !== undefined && value !== null && !Array.isArray(value)) {
      throw cannotHandle(resource, `metadata.${field} must be a list, found ${describe(value)}`)
    }
  }
}

function cannotHandle({ kind, version }: ServedResource, text: string): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${text}`)
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : (JSON.stringify(value)?.slice(0, 80) ?? typeof value)
}

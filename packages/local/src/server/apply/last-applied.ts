import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import type { ServedResource } from '../served-resource.ts'
import { faultsOf } from './check-applied.ts'
import { compare } from './compare.ts'
import { difference, type FieldSet, LEAF } from './field-set.ts'
import { fieldsOf } from './fields-of.ts'
import { keyText } from './list-keys.ts'
import { schemaOf } from './schemas.ts'
import { ownablePart } from './tracked.ts'

/** The field manager of `kubectl apply --server-side`. */
export const KUBECTL = 'kubectl'

/** Where client-side apply keeps what it applied last. */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration'

/** What all annotations of an object may weigh. */
const MOST_BYTES = 256 * 1024

/**
 * The fields that kubectl applied on the client's side and that are still as it wrote them: server-side apply by kubectl
 * takes them over without asking (source: apimachinery, managedfields/internal/lastappliedmanager.go).
 */
export function appliedByClient(live: KubeObject, resource: ServedResource): FieldSet {
  const schema = schemaOf(resource)
  const applied = parse(live.metadata.annotations?.[ANNOTATION])
  if (applied?.apiVersion !== apiVersionOf(resource)) return LEAF
  const [last, now] = [ownablePart(applied), ownablePart(live)]
  if (faultsOf(last, schema).length > 0 || faultsOf(now, schema).length > 0) return LEAF
  const { changed, removed } = compare(last, now, schema)
  return difference(difference(fieldsOf(last, schema), changed), removed)
}

function parse(text: string | undefined): KubeObject | undefined {
  if (!text) return undefined
  try {
    const object = JSON.parse(text) as KubeObject
    return typeof object?.metadata === 'object' && object.metadata !== null ? object : undefined
  } catch {
    return undefined
  }
}

/** The object with the annotation telling what was applied now, where it told something before. */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const { annotations } = object.metadata
  if (!annotations?.[ANNOTATION]) return object
  const { [ANNOTATION]: _, ...others } = annotations
  const text = lastAppliedText(config)
  const updated = { ...others, [ANNOTATION]: text }
  const bytes = Object.entries(updated).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0)
  return { ...object, metadata: { ...object.metadata, annotations: bytes > MOST_BYTES ? others : updated } }
}

function lastAppliedText(config: KubeObject): string {
  const { annotations, ...metadata } = config.metadata
  const { [ANNOTATION]: _, ...others } = annotations ?? {}
  const object = { ...config, metadata: annotations === undefined ? metadata : { ...metadata, annotations: others } }
  return `${keyText(sorted(object))}\n`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, item]) => [key, sorted(item)]))
}

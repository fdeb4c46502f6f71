import { type Issue, isDocumentForm, JSON_PATCHES_ANNOTATION, type KubernetesObject } from '@trainjob/api'

/** Of `metadata.managedFields`, what server-side apply writes. */
interface ManagedFields {
  readonly manager?: string
  readonly operation?: string
  readonly subresource?: string
  readonly fieldsV1?: Fields
}

type Fields = { readonly [key: string]: Fields }

/** Deeper than any object of Kubernetes. */
const MAX_DEPTH = 64

/**
 * Refuses to let a field of the document's form go that server-side apply has left out, with the command that does it.
 */
export function withdrawalIssues(before: KubernetesObject, after: KubernetesObject): readonly Issue[] {
  const { namespace = '', name = '' } = after.metadata
  return withdrawnFields(before, after).map((path) => ({
    path,
    code: 'withdrawn',
    message: `expected ${path}, which was applied before, found it left out: it was translated when it was stored, and server-side apply does not find it there. Write the whole object anew: kubectl replace -f FILE`,
    object: { kind: after.kind, namespace, name },
  }))
}

/**
 * Fields of the document's form that a manager of server-side apply owned and has left out now, like
 * `spec.runtimePatches`. The server takes out a field that nobody applies any more, and does not find it: it was
 * translated when it was stored. Those that are owned and not there are the translated ones.
 */
function withdrawnFields(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  if (!isDocumentForm(before)) return []
  const now = ownersOf(after)
  const appliers = new Set(now.filter(isApplied).map(({ manager }) => manager))
  const withdrawn = ownersOf(before)
    // other clients need not say who owns what
    .filter((one) => isApplied(one) && appliers.has(one.manager))
    .flatMap(({ fieldsV1 = {} }) => translatedIn(fieldsV1, before))
    .filter((path) => !now.some(({ fieldsV1 = {} }) => owns(fieldsV1, path)))
  const paths = [...new Set(withdrawn.map(shown))]
  // written anew by another client, without them
  const isGone = before.metadata.annotations?.[JSON_PATCHES_ANNOTATION] === undefined
  return isGone ? paths.filter((path) => !path.startsWith('spec.runtimePatches')) : paths
}

function ownersOf({ metadata }: KubernetesObject): readonly ManagedFields[] {
  return (metadata.managedFields ?? []) as readonly ManagedFields[]
}

function isApplied({ operation, subresource }: ManagedFields): boolean {
  return operation === 'Apply' && !subresource
}

/** The outermost fields of the set that the object does not have. */
function translatedIn(set: Fields, value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (path.length > MAX_DEPTH) return []
  return Object.entries(set).flatMap(([key, below]) => {
    if (key === '.') return []
    const found = step(value, key)
    return found === undefined ? [[...path, key]] : translatedIn(below, found, [...path, key])
  })
}

function owns(set: Fields, path: readonly string[]): boolean {
  return path.reduce<Fields | undefined>((at, key) => at?.[key], set) !== undefined
}

/** One step of a path of `fieldsV1`: `f:` a field, `k:` an item by its keys, `v:` an item by its value, `i:` by its position. */
function step(value: unknown, key: string): unknown {
  const rest = key.slice(2)
  if (typeof value !== 'object' || value === null) return undefined
  if (key.startsWith('f:')) return Object.hasOwn(value, rest) ? (value as Record<string, unknown>)[rest] : undefined
  if (!Array.isArray(value)) return undefined
  if (key.startsWith('i:')) return value[Number(rest)]
  const wanted: unknown = parse(rest)
  if (key.startsWith('v:')) return value.find((item) => JSON.stringify(item) === JSON.stringify(wanted))
  return value.find((item) => hasKeys(item, wanted))
}

function hasKeys(item: unknown, keys: unknown): boolean {
  if (typeof item !== 'object' || item === null || typeof keys !== 'object' || keys === null) return false
  return Object.entries(keys).every(([name, value]) => (item as Record<string, unknown>)[name] === value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function shown(path: readonly string[]): string {
  return path.reduce((text, key) => {
    const rest = key.slice(2)
    if (key.startsWith('f:')) return text === '' ? rest : `${text}.${rest}`
    const keys: unknown = parse(rest)
    const name = typeof keys === 'object' && keys !== null ? Object.values(keys).join(', ') : rest
    return `${text}[${name}]`
  }, '')
}

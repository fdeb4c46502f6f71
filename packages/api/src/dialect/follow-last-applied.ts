import type { FieldPath } from '../field-path.ts'
import { type Draft, fieldsOf } from './draft.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where `kubectl apply` notes what was applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
/** What the translation writes into annotations. */
const OWN_PREFIX = 'trainjob.dev/'
const PATCHES = ['spec', 'runtimePatches'] as const
/** Deeper than any object of Kubernetes. */
const MAX_DEPTH = 64

/**
 * `kubectl apply` finds out what was taken out of a file by what it applied before. It looks for it where it was written,
 * and of what was translated nothing stands there any more: the same comparison is made here of both in canonical form.
 * It also replaces lists as a whole, with what others, such as Kueue, have added to `runtimePatches` since.
 *
 * @param draft the translation of `written`, the update of `stored` as a server has merged it
 */
export function followLastApplied(
  draft: Draft,
  written: object,
  stored: object,
  translate: (object: object) => object,
): void {
  const [was, is] = [lastApplied(stored), lastApplied(written)]
  if (was === undefined || is === undefined) return
  const [parsed, applied] = [parse(was), parse(is)]
  if (parsed === undefined || applied === undefined) return
  const before = fieldsOf(translate(parsed))
  // what is canonical kubectl merges itself
  if (before === parsed) return
  const isChanged = was !== is
  if (isChanged || isWritten(written)) keepOthersPatches(draft, stored, before)
  if (!isChanged) return
  const after = fieldsOf(translate(applied))
  dropMissing(draft, ['spec'], before.spec, after.spec, (path) => path.length !== 2 || path[1] !== 'runtimePatches')
  const isOwn = (path: FieldPath) => String(path.at(-1)).startsWith(OWN_PREFIX)
  const [old, now] = [before, after].map(({ metadata }) => fieldsOf(metadata).annotations)
  dropMissing(draft, ['metadata', 'annotations'], old, now, isOwn)
}

function dropMissing(
  draft: Draft,
  path: FieldPath,
  before: unknown,
  after: unknown,
  concerns: (path: FieldPath) => boolean,
): void {
  if (path.length > MAX_DEPTH) return
  const now = fieldsOf(after)
  for (const [field, value] of Object.entries(fieldsOf(before))) {
    const at = [...path, field]
    if (!concerns(at)) continue
    if (now[field] === undefined) draft.set(at, undefined)
    else dropMissing(draft, at, value, now[field], concerns)
  }
}

/** Whether the list is one that a client wrote in the document's form. */
function isWritten(written: object): boolean {
  return patchesIn(written).some(({ managerKey, patch }) => managerKey !== undefined || patch !== undefined)
}

/** Patches of managers that the file has never named, where they stood. */
function keepOthersPatches(draft: Draft, stored: object, before: object): void {
  const own = new Set(patchesIn(before).map(({ manager }) => manager))
  const current = new Map(draft.list(PATCHES).map((item) => [fieldsOf(item).manager, item]))
  const former = patchesIn(stored)
  if (former.every(({ manager }) => own.has(manager) || current.has(manager))) return
  const kept = former.flatMap((item) => {
    const { manager } = item
    if (current.has(manager)) return [current.get(manager)]
    return own.has(manager) ? [] : [item]
  })
  const known = new Set(former.map(({ manager }) => manager))
  draft.set(PATCHES, [...kept, ...[...current].filter(([manager]) => !known.has(manager)).map(([, item]) => item)])
}

function patchesIn(object: object): readonly Fields[] {
  const { runtimePatches } = fieldsOf(fieldsOf(object).spec)
  return Array.isArray(runtimePatches) ? runtimePatches.map(fieldsOf) : []
}

function lastApplied(object: object): string | undefined {
  const text = fieldsOf(fieldsOf(fieldsOf(object).metadata).annotations)[LAST_APPLIED]
  return typeof text === 'string' ? text : undefined
}

/** Nothing where it is no object of Kubernetes: the annotation may hold anything. */
function parse(text: string): Fields | undefined {
  try {
    const object = fieldsOf(JSON.parse(text))
    return typeof object.kind === 'string' ? object : undefined
  } catch {
    return undefined
  }
}

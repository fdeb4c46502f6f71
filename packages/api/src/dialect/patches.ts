import type { FieldPath } from '../field-path.ts'
import { UNNAMED_MANAGER } from '../trainer/unnamed-manager.ts'
import { JSON_PATCHES_ANNOTATION, type JsonPatchEntry } from './annotations.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { patchFault } from './patch-fault.ts'

const PATCHES = ['spec', 'runtimePatches'] as const

/** `runtimePatches` with `managerKey`, and with operations. What upstream's type cannot hold goes to an annotation. */
export function translatePatches(draft: Draft): void {
  const items = draft.list(PATCHES)
  if (!items.some((item) => isDialect(fieldsOf(item)))) return
  const kept: unknown[] = []
  const entries: JsonPatchEntry[] = []
  items.forEach((item, index) => {
    const path = [...PATCHES, index]
    const { managerKey, patch, ...rest } = fieldsOf(item)
    // a server has filled in the key of the list where the document says managerKey
    const manager = rest.manager === UNNAMED_MANAGER ? managerKey : (rest.manager ?? managerKey)
    if (managerKey !== undefined) draft.documentNote([...path, 'managerKey'], 'managerKey is manager')
    if (Array.isArray(patch) && checkPatch(draft, path, manager, patch)) {
      const { time } = rest
      draft.documentNote(
        [...path, 'patch'],
        `the operations are kept in the annotation ${JSON_PATCHES_ANNOTATION} and applied to the finished JobSet`,
      )
      entries.push({ manager: String(manager), ...(typeof time === 'string' && { time }), patch })
    } else if (patch !== undefined && !Array.isArray(patch)) {
      draft.error(
        [...path, 'patch'],
        'expected a list of operations, found something else; start each one with "- op:"',
      )
    }
    if (patch === undefined || rest.trainingRuntimeSpec !== undefined) {
      kept.push(managerKey === undefined ? rest : { ...rest, manager: pathOf(manager) })
    }
  })
  if (draft.errors.length > 0) return
  draft.set(PATCHES, kept.length === 0 ? undefined : kept)
  if (entries.length === 0) return
  draft.annotate(JSON_PATCHES_ANNOTATION, JSON.stringify(entries))
  draft.moves.push({ from: PATCHES, to: ['metadata', 'annotations', JSON_PATCHES_ANNOTATION] })
}

function isDialect(item: Readonly<Record<string, unknown>>): boolean {
  return item.managerKey !== undefined || item.patch !== undefined
}

/** Upstream wants a domain before the name. */
function pathOf(manager: unknown): unknown {
  return typeof manager === 'string' && !manager.includes('/') ? `trainjob.dev/${manager}` : manager
}

function checkPatch(draft: Draft, path: FieldPath, manager: unknown, patch: readonly unknown[]): boolean {
  const before = draft.errors.length
  if (typeof manager !== 'string' || manager === '') {
    draft.error(path, 'expected managerKey, the name of who patches, found nothing; add managerKey: NAME')
  }
  patch.forEach((operation, index) => {
    const fault = patchFault(operation)
    if (fault !== undefined) draft.error([...path, 'patch', index, ...fault.path], fault.message)
  })
  return draft.errors.length === before
}

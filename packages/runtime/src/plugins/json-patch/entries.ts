import {
  JSON_PATCHES_ANNOTATION,
  type JsonPatchEntry,
  type JsonPatchOperation,
  readAnnotation,
  type TrainJob,
} from '@trainjob/api'
import { RenderError } from '../../error.ts'
import { readPointer, writePointer } from './pointer.ts'

/** Where patches are told to be at fault. */
export const PATCHES_PATH: string = `metadata.annotations[${JSON_PATCHES_ANNOTATION}]`

/**
 * The operations of a job, in the order they are applied: managers in the order of their first entry, the entries of one
 * manager by time, and of one time as they stand. Entries without a time are new and come last.
 */
export function patchEntries(trainJob: TrainJob): readonly JsonPatchEntry[] {
  const text = trainJob.metadata.annotations?.[JSON_PATCHES_ANNOTATION]
  if (text === undefined) return []
  const entries = readAnnotation(trainJob, JSON_PATCHES_ANNOTATION)
  if (!Array.isArray(entries) || !entries.every(isEntry)) {
    throw new RenderError(
      'json-patch-failed',
      PATCHES_PATH,
      `Expected a JSON list of {manager, patch: [{op, path, …}]}, found ${text.slice(0, 60)}; write the patches below spec.runtimePatches instead.`,
    )
  }
  const managers = new Map(entries.toReversed().map(({ manager }, index) => [manager, entries.length - index]))
  const rank = ({ manager }: JsonPatchEntry): number => managers.get(manager) ?? 0
  return entries.toSorted((a, b) => rank(a) - rank(b) || byTime(a, b))
}

function isEntry(entry: unknown): entry is JsonPatchEntry {
  const { manager, patch } = (entry ?? {}) as { manager?: unknown; patch?: unknown }
  return typeof manager === 'string' && Array.isArray(patch) && patch.every(isOperation)
}

function isOperation(operation: unknown): operation is JsonPatchOperation {
  const { op, path } = (operation ?? {}) as { op?: unknown; path?: unknown }
  return typeof op === 'string' && typeof path === 'string'
}

function byTime({ time: a }: JsonPatchEntry, { time: b }: JsonPatchEntry): number {
  const left = instant(a)
  const right = instant(b)
  return left === right ? 0 : left - right
}

function instant(time: string | undefined): number {
  const at = Date.parse(time ?? '')
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
}

/** Paths that two managers touch, each with both of them. */
export function contestedPaths(entries: readonly JsonPatchEntry[]): readonly (readonly [string, string, string])[] {
  const touched = new Map<string, string>()
  const contested: [string, string, string][] = []
  for (const { manager, patch } of entries) {
    for (const operation of patch) {
      if (operation.op === 'test') continue
      const pointer = readPointer(operation.path)
      // each one gets a place of its own at the end of a list
      if (operation.op === 'add' && pointer.at(-1) === '-') continue
      const path = writePointer(pointer)
      const other = touched.get(path)
      if (other !== undefined && other !== manager) contested.push([path, other, manager])
      else touched.set(path, manager)
    }
  }
  return contested
}

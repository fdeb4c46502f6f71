import { isDeepStrictEqual } from 'node:util'
import {
  JSON_PATCHES_ANNOTATION,
  type JsonPatchEntry,
  type RuntimePatch,
  readAnnotation,
  type TrainJob,
} from '@trainjob/api'
import { samePatches } from '@trainjob/runtime'

/**
 * The patches with their times: one that is new or has changed gets `now`, one that stands as it was keeps the stored
 * time, whatever the writer sent. On creation a time that is given stays.
 * (source: kubeflow/trainer v2.3.0, pkg/webhooks/trainjob_webhook.go)
 */
export function withPatchTimes(
  patches: readonly RuntimePatch[],
  stored: readonly RuntimePatch[] | undefined,
  now: string,
): RuntimePatch[] {
  const byManager = new Map(stored?.map((one) => [one.manager, one]))
  return patches.map((patch) => {
    const old = byManager.get(patch.manager)
    if (old === undefined) return patch.time === undefined ? { ...patch, time: now } : patch
    const time = samePatches([{ ...old, time: now }], [{ ...patch, time: now }]) ? old.time : now
    if (time === patch.time) return patch
    const { time: _, ...rest } = patch
    return time === undefined ? rest : { ...rest, time }
  })
}

/**
 * The same for operations, which are kept in an annotation. One manager may have several entries: one that stands as it
 * was is found by what it says.
 */
export function withOperationTimes(trainJob: TrainJob, stored: TrainJob | undefined, now: string): TrainJob {
  const entries = entriesOf(trainJob)
  if (entries === undefined) return trainJob
  const left = [...(stored === undefined ? [] : (entriesOf(stored) ?? []))]
  const timed = entries.map((entry) => {
    const at = left.findIndex(({ time: _, ...rest }) => isDeepStrictEqual(rest, withoutTime(entry)))
    const [same] = at === -1 ? [] : left.splice(at, 1)
    const given = stored === undefined ? entry.time : undefined
    return { manager: entry.manager, time: same?.time ?? given ?? now, patch: entry.patch }
  })
  const text = JSON.stringify(timed)
  if (text === trainJob.metadata.annotations?.[JSON_PATCHES_ANNOTATION]) return trainJob
  const annotations = { ...trainJob.metadata.annotations, [JSON_PATCHES_ANNOTATION]: text }
  return { ...trainJob, metadata: { ...trainJob.metadata, annotations } }
}

/** Nothing where there is no list; what is wrong with it is found when it is rendered. */
function entriesOf(trainJob: TrainJob): readonly JsonPatchEntry[] | undefined {
  const entries = readAnnotation(trainJob, JSON_PATCHES_ANNOTATION)
  const isList = Array.isArray(entries) && entries.every((entry) => typeof entry === 'object' && entry !== null)
  return isList ? entries : undefined
}

function withoutTime({ time: _, ...rest }: JsonPatchEntry): Omit<JsonPatchEntry, 'time'> {
  return rest
}

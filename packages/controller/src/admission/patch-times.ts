import { isDeepStrictEqual } from 'node:util'
import type { RuntimePatch } from '@trainjob/api'

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
    const time = isDeepStrictEqual({ ...old, time: now }, { ...patch, time: now }) ? old.time : now
    if (time === patch.time) return patch
    const { time: _, ...rest } = patch
    return time === undefined ? rest : { ...rest, time }
  })
}

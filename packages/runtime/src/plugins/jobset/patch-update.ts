import type { TrainJob } from '@trainjob/api'
import type { Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { samePatches } from '../../same-patches.ts'
import { changesOperations } from '../json-patch/operations-update.ts'
import { findJobSet } from './find-jobset.ts'

/**
 * Patches may change only while the job is suspended, before or after the update, and while none of its pods is active.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/jobset.go (`checkRuntimePatchesImmutability`).
 */
export function validatePatchUpdate(info: Info, old: TrainJob, findings: FindingsCollector): void {
  const { spec, metadata } = info.trainJob
  const isSame = samePatches(old.spec.runtimePatches, spec.runtimePatches)
  if (isSame && !changesOperations(old, info.trainJob)) return
  const forbid = (message: string): void => findings.error({ path: 'spec.runtimePatches', code: 'immutable', message })
  if (!old.spec.suspend && !spec.suspend) {
    forbid('patches can change only while the job is suspended; set spec.suspend: true in the same update or before')
    return
  }
  const jobSet = findJobSet(info.facts, info.namespace, metadata.name)
  for (const { name, active } of jobSet?.status?.replicatedJobsStatus ?? []) {
    if (active > 0)
      forbid(`patches cannot change while ${active} jobs of ${name} are active; wait until they have stopped`)
  }
}

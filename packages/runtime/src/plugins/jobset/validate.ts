import { ANCESTOR_DATASET_INITIALIZER, ANCESTOR_MODEL_INITIALIZER, type TrainJob } from '@trainjob/api'
import { hasContainer, type Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { fetchesInPods } from '../document/fetch-in-pods.ts'
import { INITIALIZER_VOLUME } from './constants.ts'
import { validateManager } from './manager.ts'
import { validatePatchContent } from './patch-content.ts'
import { validatePatchUpdate } from './patch-update.ts'

/** Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/jobset.go (`Validate`). */
export function validateJobSet(info: Info, old: TrainJob | undefined, findings: FindingsCollector): void {
  const { initializer, runtimePatches = [] } = info.trainJob.spec
  if (initializer?.dataset && !fetchesInPods(info))
    validateInitializer(info, ANCESTOR_DATASET_INITIALIZER, 'dataset', findings)
  if (initializer?.model) validateInitializer(info, ANCESTOR_MODEL_INITIALIZER, 'model', findings)
  if (old) validatePatchUpdate(info, old, findings)
  for (const { manager, trainingRuntimeSpec } of runtimePatches) {
    validateManager(manager, findings)
    for (const job of trainingRuntimeSpec?.template?.spec?.replicatedJobs ?? []) {
      validatePatchContent(info, job, findings)
    }
  }
}

/** An initializer needs a job, in it a container, and in that the shared volume; all are found by name. */
function validateInitializer(info: Info, name: string, field: string, findings: FindingsCollector): void {
  const lacks = lackingOf(info, name)
  if (lacks === undefined) return
  findings.error({
    path: 'spec.runtimeRef',
    code: 'initializer-not-in-runtime',
    message: `spec.initializer.${field} needs ${lacks} in the runtime ${info.trainJob.spec.runtimeRef.name}, which has none; choose another runtime or leave spec.initializer.${field} out`,
  })
}

function lackingOf(info: Info, name: string): string | undefined {
  const podSet = info.podSets.find((candidate) => candidate.name === name)
  if (!podSet) return `a replicated job ${name}`
  if (!hasContainer(podSet, name)) return `a container ${name} in the replicated job ${name}`
  const isMounted = podSet.containers.some(
    (container) =>
      container.name === name && container.volumeMounts?.some((mount) => mount.name === INITIALIZER_VOLUME) === true,
  )
  return isMounted
    ? undefined
    : `a volume mount ${INITIALIZER_VOLUME} in the container ${name} of the replicated job ${name}`
}

import {
  ANCESTOR_DATASET_INITIALIZER,
  ANCESTOR_MODEL_INITIALIZER,
  NODE_NAME,
  type ReplicatedJobPatch,
} from '@trainjob/api'
import { hasContainer, type Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'

const RUNTIME_PATCHES = 'spec.runtimePatches'

/** Containers whose environment belongs to `spec.trainer` and `spec.initializer`. */
const OWN_ENV: ReadonlySet<string> = new Set([ANCESTOR_DATASET_INITIALIZER, ANCESTOR_MODEL_INITIALIZER, NODE_NAME])

/**
 * One replicated job of a patch, against the template with the patches in it.
 *
 * Upstream means to refuse jobs and containers that the runtime lacks, but looks for them after the merge has added
 * them; here they are warnings (`unknownInRuntime` in validate.ts).
 */
export function validatePatchContent(info: Info, job: ReplicatedJobPatch, findings: FindingsCollector): void {
  const podSet = info.podSets.find((candidate) => candidate.name === job.name)
  for (const { name, env } of job.template?.spec?.template?.spec?.containers ?? []) {
    if (!podSet || !hasContainer(podSet, name) || !env?.length || !OWN_ENV.has(name)) continue
    findings.error({
      path: RUNTIME_PATCHES,
      code: 'env-not-patchable',
      message: `a patch must not set env of the containers ${[...OWN_ENV].join(', ')}; found env of ${name} in ${job.name}; use spec.trainer.env or spec.initializer instead`,
    })
  }
}

import type { AnyTrainingRuntime, JobSetSpec, ReplicatedJob, TrainJob } from '@trainjob/api'
import { strategicMerge } from './merge/merge.ts'
import { withRuntimeNames } from './runtime-names.ts'
import { canonical, canonicalPatch, canonicalWithDefaults } from './schema/canonical.ts'
import { structSchema } from './schema/schema.ts'

/**
 * The runtime's JobSet template with the job's `runtimePatches` merged into it, in list order, in canonical form. The
 * replicated jobs stand in the runtime's order, whatever the merge did to it.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/core/trainingruntime.go (`mergeRuntimePatches`).
 *
 * @throws RenderError `invalid-patch`
 */
export function patchedTemplate(trainJob: TrainJob, runtime: AnyTrainingRuntime): JobSetSpec {
  const schema = structSchema('jobset.JobSetSpec')
  const original = canonicalWithDefaults(runtime.spec.template?.spec ?? {}, schema)
  let spec = original
  for (const { trainingRuntimeSpec } of withRuntimeNames(trainJob, runtime).spec.runtimePatches ?? []) {
    const patch = trainingRuntimeSpec?.template?.spec
    if (patch) spec = strategicMerge(spec, canonicalPatch(patch, structSchema('trainer.JobSetSpecPatch')), schema)
  }
  return spec === original ? original : inOrderOf(original.replicatedJobs ?? [], canonical(spec, schema))
}

/** A job that the runtime lacks counts as its first one, as in upstream; validation refuses such patches. */
function inOrderOf(original: readonly ReplicatedJob[], spec: JobSetSpec): JobSetSpec {
  if (!spec.replicatedJobs || spec.replicatedJobs.length < 2) return spec
  const order = new Map(original.map(({ name }, position) => [name, position]))
  const replicatedJobs = spec.replicatedJobs.toSorted((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0))
  return { ...spec, replicatedJobs }
}

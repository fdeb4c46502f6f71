import type { RuntimePatch } from '@trainjob/api'
import { deepEqual } from './deep-equal.ts'
import { canonical } from './schema/canonical.ts'
import { structSchema } from './schema/schema.ts'

/**
 * Whether two lists of patches say the same, as upstream's webhooks see it: an empty list is like none, `1000m` is `1`.
 * Source: kubeflow/trainer v2.3.0, uses of `equality.Semantic.DeepEqual` in pkg/webhooks and pkg/runtime.
 *
 * @example
 * const nodes = { template: { spec: { replicatedJobs: [] } } }
 * samePatches([{ manager: 'a.io/x', trainingRuntimeSpec: nodes }], [{ manager: 'a.io/x' }]) // => false
 * samePatches([], undefined) // => true
 */
export function samePatches(a: readonly RuntimePatch[] | undefined, b: readonly RuntimePatch[] | undefined): boolean {
  return a === b || deepEqual(a?.map(plain), b?.map(plain))
}

function plain(patch: RuntimePatch): RuntimePatch {
  const { template } = patch.trainingRuntimeSpec ?? {}
  if (template === undefined || template === null) return patch
  const { metadata, spec } = template
  return {
    ...patch,
    trainingRuntimeSpec: {
      ...patch.trainingRuntimeSpec,
      template: {
        ...template,
        ...(metadata && { metadata: canonical(metadata, structSchema('meta.ObjectMeta')) }),
        ...(spec && { spec: canonical(spec, structSchema('trainer.JobSetSpecPatch')) }),
      },
    },
  }
}

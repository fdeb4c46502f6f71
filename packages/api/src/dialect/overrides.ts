import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { ReplicatedJobPatch, RuntimePatch } from '../trainer/types.ts'
import { type Draft, fieldsOf } from './draft.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * `podSpecOverrides` (Kubeflow Trainer 2.0) and `podTemplateOverrides` (2.1) as runtime patches, one for each override,
 * so that they are merged one after the other as before.
 */
export function translateOverrides(draft: Draft): void {
  for (const field of ['podSpecOverrides', 'podTemplateOverrides'] as const) {
    const from = ['spec', field]
    if (draft.get(from) === undefined) continue
    const overrides = draft.list(from)
    const patches = overrides.map((override, index) =>
      patchOf(draft, fieldsOf(override), [...from, index], field, index),
    )
    if (patches.some((patch) => patch === undefined)) continue
    draft.note(from, `${field} of earlier releases is runtimePatches`)
    draft.set(from, undefined)
    draft.set(['spec', 'runtimePatches'], [...draft.list(['spec', 'runtimePatches']), ...patches])
    draft.moves.push({ from, to: ['spec', 'runtimePatches'] })
  }
}

function patchOf(
  draft: Draft,
  override: Fields,
  path: FieldPath,
  field: 'podSpecOverrides' | 'podTemplateOverrides',
  index: number,
): RuntimePatch | undefined {
  const { targetJobs, ...rest } = override
  const names = (Array.isArray(targetJobs) ? targetJobs : []).map((target) => fieldsOf(target).name)
  if (names.length === 0 || !names.every((name) => typeof name === 'string')) {
    draft.error(
      [...path, 'targetJobs'],
      `expected the jobs that ${formatFieldPath(path)} is for; write it as a runtime patch:\nruntimePatches:\n  - manager: example.com/me\n    trainingRuntimeSpec:\n      template:\n        spec:\n          replicatedJobs:\n            - name: node\n              template:\n                spec:\n                  template:\n                    spec: {…}`,
    )
    return undefined
  }
  const template = field === 'podSpecOverrides' ? { spec: rest } : rest
  const replicatedJobs = names.map((name) => ({ name, template: { spec: { template } } })) as ReplicatedJobPatch[]
  return {
    manager: `trainjob.dev/${field === 'podSpecOverrides' ? 'pod-spec' : 'pod-template'}-override-${index}`,
    trainingRuntimeSpec: { template: { spec: { replicatedJobs } } },
  }
}

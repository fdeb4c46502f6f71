import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { ReplicatedJobPatch, RuntimePatch } from '../trainer/types.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { POD_FIELDS } from './pod-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * `podSpecOverrides` (Kubeflow Trainer 2.0) and `podTemplateOverrides` (2.1) as runtime patches, one for each override,
 * so that they are merged one after the other as before.
 */
export function translateOverrides(draft: Draft): void {
  for (const field of ['podSpecOverrides', 'podTemplateOverrides'] as const) {
    const from = ['spec', field]
    const written = draft.get(from)
    if (written === undefined) continue
    if (!Array.isArray(written)) {
      draft.error(from, `expected a list of overrides, found something else; ${AS_PATCH}`)
      continue
    }
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

const AS_PATCH = `write it as a runtime patch:
runtimePatches:
  - manager: example.com/me
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                spec:
                  template:
                    spec: {…}`

/** Pod fields of an override of 2.1 that stand beside its `spec`, as they did in 2.0. */
function withPodFields({ spec, ...rest }: Fields): Fields {
  const misplaced = Object.entries(rest).filter(([field]) => POD_FIELDS.has(field))
  if (misplaced.length === 0) return spec === undefined ? rest : { ...rest, spec }
  const others = Object.entries(rest).filter(([field]) => !POD_FIELDS.has(field))
  return { ...Object.fromEntries(others), spec: { ...Object.fromEntries(misplaced), ...fieldsOf(spec) } }
}

/** What no release lets a patch set, and where it belongs. */
function checkResources(draft: Draft, override: Fields, path: FieldPath): boolean {
  const below = override.spec === undefined ? [] : ['spec']
  const { containers } = override.spec === undefined ? override : fieldsOf(override.spec)
  const before = draft.errors.length
  for (const [index, container] of (Array.isArray(containers) ? containers : []).entries()) {
    if (fieldsOf(container).resources === undefined) continue
    draft.error(
      [...path, ...below, 'containers', index, 'resources'],
      'expected the resources of the nodes in the trainer, found them in an override, which has no such field; write them there and take them out here:\ntrainer:\n  resourcesPerNode:\n    limits: {…}',
    )
  }
  return draft.errors.length === before
}

function patchOf(
  draft: Draft,
  override: Fields,
  path: FieldPath,
  field: 'podSpecOverrides' | 'podTemplateOverrides',
  index: number,
): RuntimePatch | undefined {
  const { targetJobs, targetJob, targetReplicatedJobs, ...rest } = override
  const names = [targetJobs, targetJob, targetReplicatedJobs]
    .flatMap((targets) => (targets === undefined ? [] : Array.isArray(targets) ? targets : [targets]))
    .map((target) => (typeof target === 'string' ? target : fieldsOf(target).name))
  if (names.length === 0 || !names.every((name) => typeof name === 'string')) {
    draft.error([...path, 'targetJobs'], `expected the jobs that ${formatFieldPath(path)} is for; ${AS_PATCH}`)
    return undefined
  }
  if (!checkResources(draft, rest, path)) return undefined
  const template = field === 'podSpecOverrides' ? { spec: rest } : withPodFields(rest)
  const replicatedJobs = names.map((name) => ({ name, template: { spec: { template } } })) as ReplicatedJobPatch[]
  return {
    manager: `trainjob.dev/${field === 'podSpecOverrides' ? 'pod-spec' : 'pod-template'}-override-${index}`,
    trainingRuntimeSpec: { template: { spec: { replicatedJobs } } },
  }
}

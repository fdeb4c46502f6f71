import type { Pod } from '@trainjob/api'
import { equal } from '../../object/equal.ts'
import type { Cause } from '../failures.ts'

type PodSpec = Pod['spec'] & {
  readonly tolerations?: readonly unknown[]
  readonly schedulingGates?: readonly unknown[]
}

const RULE =
  'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)'

/** What may change in a pod that exists (source: pkg/apis/core/validation, ValidatePodUpdate). */
export function validatePodUpdate(next: PodSpec, old: PodSpec): readonly Cause[] {
  if (next === old) return []
  for (const list of ['containers', 'initContainers'] as const) {
    if ((next[list]?.length ?? 0) !== (old[list]?.length ?? 0)) {
      return [forbidden(`spec.${list}`, 'Forbidden: pod updates may not add or remove containers')]
    }
  }
  const kept = next.tolerations ?? []
  const lost = (old.tolerations ?? []).some((toleration) => !kept.some((one) => equal(one, toleration)))
  if (lost) {
    return [
      forbidden('spec.tolerations', 'Forbidden: existing toleration can not be modified except its tolerationSeconds'),
    ]
  }
  return equal(unchangeable(next, old), unchangeable(old, old)) ? [] : [forbidden('spec', RULE)]
}

function forbidden(field: string, message: string): Cause {
  return { reason: 'FieldValueForbidden', field, message }
}

/** The spec without what may change. */
function unchangeable(spec: PodSpec, old: PodSpec): object {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = spec
  // where a pod may go can be narrowed as long as something holds it back
  const gated = (old.schedulingGates?.length ?? 0) > 0
  return {
    ...rest,
    ...(gated && { nodeSelector: undefined, affinity: undefined }),
    containers: spec.containers.map(withoutImage),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(withoutImage) }),
  }
}

function withoutImage({ image: _, ...container }: Pod['spec']['containers'][number]): object {
  return container
}

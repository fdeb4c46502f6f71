import type { Pod } from '@trainjob/api'

const FIELDS = ['nodeSelector', 'affinity', 'topologySpreadConstraints'] as const
const SCHEDULER = 'default-scheduler'

/** Names the wishes about its place that a pod has and that mean nothing on a single machine, in a sentence. */
export function ignoredPlacement({ spec }: Pod): string | undefined {
  const ignored: string[] = FIELDS.filter((field) => !isEmpty(spec[field]))
  if (spec.schedulerName !== undefined && spec.schedulerName !== SCHEDULER) {
    ignored.push(`schedulerName ${spec.schedulerName}`)
  }
  if (ignored.length === 0) return undefined
  return `There is one machine only: ${ignored.join(', ')} of the pod ${ignored.length === 1 ? 'has' : 'have'} no effect here`
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

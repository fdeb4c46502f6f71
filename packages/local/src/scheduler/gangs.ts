import type { Pod } from '@trainjob/api'

/** Which pods belong together, and which such group came first. */
export interface Gangs {
  /** The turn of the pod's gang, that of its first pod; the pod belongs to it from now on. */
  join(pod: Pod): number
  /** The pod has ended or is gone. */
  leave(pod: Pod): void
  /** True the first time it is asked about a gang. */
  firstTime(pod: Pod): boolean
}

export function createGangs(): Gangs {
  const gangs = new Map<string, { order: number; members: Set<string>; asked: boolean }>()
  let arrivals = 0
  return {
    join(pod) {
      const name = gangOf(pod)
      const gang = gangs.get(name) ?? { order: arrivals++, members: new Set(), asked: false }
      gangs.set(name, gang)
      gang.members.add(pod.metadata.uid ?? '')
      return gang.order
    },
    leave(pod) {
      const name = gangOf(pod)
      const gang = gangs.get(name)
      gang?.members.delete(pod.metadata.uid ?? '')
      if (gang?.members.size === 0) gangs.delete(name)
    },
    firstTime(pod) {
      const gang = gangs.get(gangOf(pod))
      if (gang === undefined || gang.asked) return false
      gang.asked = true
      return true
    },
  }
}

/** Pods of one JobSet belong together, else those of one owner. */
function gangOf({ metadata }: Pod): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  return metadata.labels?.['jobset.sigs.k8s.io/jobset-uid'] ?? owner?.uid ?? metadata.uid ?? ''
}

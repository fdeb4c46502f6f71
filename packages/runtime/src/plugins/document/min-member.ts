import { type KubernetesObject, MIN_MEMBER_ANNOTATION } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { numberIn } from './number-in.ts'

/** The document's `minMember` in the job's PodGroup, where it is not the number of all pods anyway. */
export function withMinMember(info: Info, objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const minMember = numberIn(info.runtimeMetadata, MIN_MEMBER_ANNOTATION)
  if (minMember === undefined) return objects
  const pods = info.podSets.reduce((sum, { count, job }) => sum + count * (job.replicas ?? 1), 0)
  if (minMember > pods) {
    info.warnings.push({
      path: 'spec.trainer.numNodes',
      code: 'gang-never-fits',
      message: `expected at least minMember: ${minMember} pods, found ${pods}: a gang scheduler would wait for ever; change minMember in the runtime or the number of nodes`,
    })
  }
  return objects.map((object) => {
    const { spec } = object as { spec?: { minMember?: number } }
    return object.kind === 'PodGroup' ? ({ ...object, spec: { ...spec, minMember } } as KubernetesObject) : object
  })
}

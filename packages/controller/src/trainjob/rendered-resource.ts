import { ConfigMaps, JobSets, type KubernetesObject, type ResourceType, Secrets, Services } from '@trainjob/api'
import { apiVersionOf } from '@trainjob/kube'
import { ControllerError } from '../controller-error.ts'

/** Where pod groups of the scheduler plugins are served. */
export const PodGroups: ResourceType<KubernetesObject> = {
  group: 'scheduling.x-k8s.io',
  version: 'v1alpha1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}
/** Where those of Volcano are. */
export const VolcanoPodGroups: ResourceType<KubernetesObject> = {
  group: 'scheduling.volcano.sh',
  version: 'v1beta1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}

const PriorityClasses: ResourceType<KubernetesObject> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  plural: 'priorityclasses',
  kind: 'PriorityClass',
  namespaced: false,
}

const served: readonly ResourceType<KubernetesObject>[] = [
  JobSets,
  ConfigMaps,
  Secrets,
  Services,
  PodGroups,
  VolcanoPodGroups,
  PriorityClasses,
]

/** Where a kind that the renderer makes or asks for is served. */
export function resourceOfKind(group: string, kind: string): ResourceType<KubernetesObject> {
  const found = served.find((one) => one.kind === kind && one.group === group)
  if (found === undefined) throw unknownKind(kind, group)
  return found
}

/** Where an object that the renderer made is served. */
export function resourceOf(object: KubernetesObject): ResourceType<KubernetesObject> {
  const found = served.find((one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion)
  if (found === undefined) throw unknownKind(object.kind, object.apiVersion)
  return found
}

function unknownKind(kind: string, group: string): ControllerError {
  return new ControllerError(
    'unknown-kind',
    `the renderer knows a ${kind} of ${group}, and the controller does not know where it is served`,
  )
}

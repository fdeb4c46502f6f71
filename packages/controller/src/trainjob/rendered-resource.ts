import { ConfigMaps, JobSets, type KubernetesObject, type ResourceType, Secrets, Services } from '@trainjob/api'
import { apiVersionOf } from '@trainjob/kube'
import { ControllerError } from '../controller-error.ts'

const PodGroups: ResourceType<KubernetesObject> = {
  group: 'scheduling.x-k8s.io',
  version: 'v1alpha1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}
const VolcanoPodGroups: ResourceType<KubernetesObject> = {
  group: 'scheduling.volcano.sh',
  version: 'v1beta1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}

const served: readonly ResourceType<KubernetesObject>[] = [
  JobSets,
  ConfigMaps,
  Secrets,
  Services,
  PodGroups,
  VolcanoPodGroups,
]

/** Where an object that the renderer made is served. */
export function resourceOf(object: KubernetesObject): ResourceType<KubernetesObject> {
  const found = served.find((one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion)
  if (found === undefined) {
    throw new ControllerError(
      'unknown-kind',
      `the renderer made a ${object.kind} of ${object.apiVersion}, and the controller does not know where it is served`,
    )
  }
  return found
}

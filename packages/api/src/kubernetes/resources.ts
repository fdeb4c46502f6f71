import type { ConfigMap, Event, Namespace, Node, Secret, Service } from './core.ts'
import type { Job } from './job.ts'
import type { JobSet } from './jobset.ts'
import type { ResourceType } from './meta.ts'
import type { Pod } from './pod.ts'

/** Where each kind of object is served. */
export const Pods: ResourceType<Pod> = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }
export const Services: ResourceType<Service> = {
  group: '',
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  namespaced: true,
}
export const ConfigMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}
export const Secrets: ResourceType<Secret> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
}
export const Events: ResourceType<Event> = {
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
}
export const Namespaces: ResourceType<Namespace> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}
export const Nodes: ResourceType<Node> = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
export const Jobs: ResourceType<Job> = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true }
export const JobSets: ResourceType<JobSet> = {
  group: 'jobset.x-k8s.io',
  version: 'v1alpha2',
  plural: 'jobsets',
  kind: 'JobSet',
  namespaced: true,
}

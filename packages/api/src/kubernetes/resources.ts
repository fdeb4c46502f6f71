import type { ConfigMap, Event, Namespace, Node, Secret, Service } from './core.ts'
import type { Job } from './job.ts'
import type { JobSet } from './jobset.ts'
import type { ResourceType } from './meta.ts'
import type { Pod } from './pod.ts'

/** Where pods are served. */
export const Pods: ResourceType<Pod> = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }
/** Where services are served. */
export const Services: ResourceType<Service> = {
  group: '',
  version: 'v1',
  plural: 'services',
  kind: 'Service',
  namespaced: true,
}
/** Where config maps are served. */
export const ConfigMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
}
/** Where secrets are served. */
export const Secrets: ResourceType<Secret> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
}
/** Where events are served, as `v1` has them. */
export const Events: ResourceType<Event> = {
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
}
/** Where namespaces are served. */
export const Namespaces: ResourceType<Namespace> = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
}
/** Where nodes are served. */
export const Nodes: ResourceType<Node> = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
/** Where Jobs are served. */
export const Jobs: ResourceType<Job> = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true }
/** Where JobSets are served. */
export const JobSets: ResourceType<JobSet> = {
  group: 'jobset.x-k8s.io',
  version: 'v1alpha2',
  plural: 'jobsets',
  kind: 'JobSet',
  namespaced: true,
}

import type { KubernetesObject } from '@trainjob/api'
import * as api from '@trainjob/api'
import type { Resource } from '@trainjob/kube'

const cluster = (group: string, version: string, plural: string, kind: string): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced: false,
})

const KNOWN: readonly Resource[] = [
  api.TrainJobs,
  api.TrainingRuntimes,
  api.ClusterTrainingRuntimes,
  api.JobSets,
  api.Jobs,
  api.Pods,
  api.Services,
  api.ConfigMaps,
  api.Secrets,
  api.Events,
  api.Namespaces,
  api.Nodes,
  cluster('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass'),
  cluster('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass'),
  cluster('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass'),
  cluster('', 'v1', 'persistentvolumes', 'PersistentVolume'),
  cluster('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole'),
  cluster('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding'),
  cluster('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'),
]

/**
 * Where objects of this kind are served. Kinds that are not known are taken to live in a namespace, under the plural
 * that Kubernetes itself would form.
 */
export function resourceOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): Resource {
  const slash = apiVersion.indexOf('/')
  const group = slash === -1 ? '' : apiVersion.slice(0, slash)
  const version = apiVersion.slice(slash + 1)
  const known = KNOWN.find((one) => one.group === group && one.kind === kind)
  if (known !== undefined) return known.version === version ? known : { ...known, version }
  return { group, version, kind, plural: plural(kind.toLowerCase()), namespaced: true }
}

function plural(word: string): string {
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

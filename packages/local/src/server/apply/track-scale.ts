import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import type { ServedResource } from '../served-resource.ts'
import { difference, type FieldSet, isEmpty, LEAF } from './field-set.ts'
import { inOrder, isManager, type Manager, managerEntry, managersOf } from './managers.ts'
import { withManagers } from './track-update.ts'

/**
 * The object with the number of replicas, which was set through the scale path, taken from its owners. The new owner's
 * entry has no time, as on a real server (source: apimachinery, managedfields/scalehandler.go).
 *
 * @param path of the number, as `.spec.replicas`
 */
export function trackScale(resource: ServedResource, object: KubeObject, manager: string, path: string): KubeObject {
  const managers = managersOf(object.metadata.managedFields) ?? []
  if (managers.length === 0) return object
  const replicas = path
    .split('.')
    .slice(1)
    .reduceRight<FieldSet>((set, name) => ({ [`f:${name}`]: set }), LEAF)
  const id = { manager, operation: 'Update', apiVersion: apiVersionOf(resource), subresource: 'scale' } as const
  const owners: Manager[] = []
  for (const entry of managers) {
    const left = difference(entry.fieldsV1, replicas)
    if (isManager(entry, id) || isEmpty(left)) continue
    owners.push(left === entry.fieldsV1 ? entry : { ...entry, fieldsV1: left })
  }
  return withManagers(object, inOrder([...owners, managerEntry(id, replicas)]))
}

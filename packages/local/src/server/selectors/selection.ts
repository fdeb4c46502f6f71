import type { KubeObject } from '@trainjob/kube'
import type { ServedResource } from '../served-resource.ts'
import { parseFieldSelector } from './field.ts'
import { parseLabelSelector } from './label.ts'

/** Says whether a list or watch shows an object; `undefined` when it shows all. */
export type Selection = ((object: KubeObject) => boolean) | undefined

/** Both selectors of a query. Throws `ApiFailure` 400. */
export function selectionOf(query: Readonly<Record<string, string>>, resource: ServedResource): Selection {
  const labels = parseLabelSelector(query.labelSelector)
  const fields = parseFieldSelector(query.fieldSelector, resource)
  if (labels === undefined) return fields
  if (fields === undefined) return (object) => labels(object.metadata.labels)
  return (object) => fields(object) && labels(object.metadata.labels)
}

import type { KubeObject, Resource } from '@trainjob/kube'
import { age } from '../../output/age.ts'
import type { OutputForm } from '../../output/output-form.ts'
import { printTable } from '../../output/table.ts'
import { toYaml } from '../../output/to-yaml.ts'
import { columnsOf } from './columns.ts'
import { nameOf } from './kind.ts'

/** Objects of one kind. */
export interface ObjectGroup {
  readonly resource: Resource
  readonly objects: readonly KubeObject[]
}

export interface PrintOptions {
  readonly form: OutputForm
  /** One object was asked for by name: it stands alone, not in a List. */
  readonly single: boolean
  readonly headers: boolean
  readonly namespaces: boolean
  readonly labels: boolean
  readonly now: number
}

/** What `get` prints for objects. Several kinds in one table form are told apart by `kind/name`. */
export async function printObjects(groups: readonly ObjectGroup[], options: PrintOptions): Promise<string> {
  const { form } = options
  const objects = groups.flatMap((group) => group.objects)
  switch (form.kind) {
    case 'json':
      return `${JSON.stringify(document(objects, options.single), null, 2)}\n`
    case 'yaml':
      return await toYaml(document(objects, options.single))
    case 'name':
      return groups
        .flatMap(({ resource, objects }) => objects.map((object) => `${nameOf(resource, object)}\n`))
        .join('')
    case 'jsonpath': {
      const { evaluateTemplate } = await import('../../output/json-path/evaluate.ts')
      const { parseJsonPath } = await import('../../output/json-path/parse.ts')
      const template = /[{]/.test(form.template) ? form.template : `{${form.template}}`
      return evaluateTemplate(parseJsonPath(template), document(objects, options.single))
    }
    case 'custom-columns': {
      const { printCustomColumns } = await import('../../output/custom-columns.ts')
      return printCustomColumns(form.template, objects, options.headers)
    }
    default:
      return tables(groups, options)
  }
}

function document(stored: readonly KubeObject[], single: boolean): unknown {
  const objects = stored.map(withoutManagedFields)
  if (single && objects.length === 1) return objects[0]
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects }
}

/** As kubectl does: who set which field fills half the page and is seldom asked for. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function tables(groups: readonly ObjectGroup[], options: PrintOptions): string {
  const shown = groups.filter(({ objects }) => objects.length > 0)
  const merged = sameColumns(shown)
  return merged.map((group) => table(group, options, merged.length > 1)).join('\n')
}

/** Kinds whose tables look alike (both kinds of runtime) share one. */
function sameColumns(groups: readonly ObjectGroup[]): readonly ObjectGroup[] {
  const [first, ...rest] = groups
  if (first === undefined || rest.some(({ resource }) => columnsOf(resource) !== columnsOf(first.resource)))
    return groups
  return [{ resource: first.resource, objects: groups.flatMap(({ objects }) => objects) }]
}

function table({ resource, objects }: ObjectGroup, options: PrintOptions, withKind: boolean): string {
  const columns = columnsOf(resource)
  const wide = options.form.kind === 'wide' ? columns.wide : undefined
  const headers = [
    ...(options.namespaces && resource.namespaced ? ['NAMESPACE'] : []),
    ...(columns.plain ? columns.headers : ['NAME', ...columns.headers, 'AGE']),
    ...(wide?.headers ?? []),
    ...(options.labels ? ['LABELS'] : []),
  ]
  const rows = objects.map((object) => {
    const cells = columns.cells(object, options.now)
    const name = withKind ? nameOf(resource, object) : (object.metadata.name ?? '')
    return [
      ...(options.namespaces && resource.namespaced ? [object.metadata.namespace ?? ''] : []),
      ...(columns.plain ? cells : [name, ...cells, age(object.metadata.creationTimestamp, options.now)]),
      ...(wide?.cells(object, options.now) ?? []),
      ...(options.labels ? [labels(object)] : []),
    ]
  })
  return printTable(headers, rows, { headers: options.headers })
}

function labels({ metadata }: KubeObject): string {
  const pairs = Object.entries(metadata.labels ?? {})
  return pairs.length === 0 ? '<none>' : pairs.map(([name, value]) => `${name}=${value}`).join(',')
}

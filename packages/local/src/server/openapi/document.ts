import type { ServedResource } from '../served-resource.ts'
import { VERSION_INFO } from '../version-info.ts'
import { kindSchemas } from './kind-schemas.ts'

/**
 * The OpenAPI v3 document of the kinds of one group version: their schemas, and for each the paths from which clients
 * learn that the server checks fields itself and can try a write without storing it.
 */
export async function openApiDocument(resources: readonly ServedResource[]): Promise<object> {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: VERSION_INFO.gitVersion },
    paths: Object.fromEntries(resources.flatMap(operationsOf).map(({ path, operations }) => [path, operations])),
    components: { schemas: await kindSchemas(resources) },
  }
}

const PARAMETERS: readonly { readonly name: string; readonly in: 'query'; readonly schema: object }[] = [
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'pretty',
].map((name) => ({
  name,
  in: 'query' as const,
  schema: { type: 'string', uniqueItems: true },
}))

/** An operation of a path, in what all versions of OpenAPI have in common. */
export interface Operation {
  readonly parameters: typeof PARAMETERS
  readonly responses: object
  readonly 'x-kubernetes-action': string
  readonly 'x-kubernetes-group-version-kind': object
}

/** The paths of a kind with what can be done there, by method. */
export function operationsOf(
  resource: ServedResource,
): readonly { readonly path: string; readonly operations: Readonly<Record<string, Operation>> }[] {
  const { group, version, plural, kind, namespaced, verbs } = resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const operation = (action: string): Operation => ({
    parameters: PARAMETERS,
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  })
  const create = { path: collection, operations: { post: operation('post') } }
  if (verbs?.includes('patch') === false) return [create]
  const methods = ['get', 'put', 'patch', 'delete'] as const
  const operations = Object.fromEntries(methods.map((method) => [method, operation(method)]))
  return [create, { path: `${collection}/{name}`, operations }]
}

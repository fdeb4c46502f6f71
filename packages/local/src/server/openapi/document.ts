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
    paths: Object.fromEntries(resources.flatMap(pathsOf)),
    components: { schemas: await kindSchemas(resources) },
  }
}

const PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}))

function pathsOf(resource: ServedResource): [string, object][] {
  const { group, version, plural, kind, namespaced, verbs } = resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const operation = (action: string) => ({
    parameters: PARAMETERS,
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  })
  const create: [string, object] = [collection, { post: operation('post') }]
  if (verbs?.includes('patch') === false) return [create]
  return [
    create,
    [
      `${collection}/{name}`,
      { get: operation('get'), put: operation('put'), patch: operation('patch'), delete: operation('delete') },
    ],
  ]
}

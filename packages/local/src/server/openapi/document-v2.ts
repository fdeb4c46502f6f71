import type { ServedResource } from '../served-resource.ts'
import { VERSION_INFO } from '../version-info.ts'
import { openApiDocument, operationsOf } from './document.ts'
import { message, named, type ProtobufField, text } from './write-protobuf.ts'

const INFO = { title: 'Kubernetes', version: VERSION_INFO.gitVersion ?? '' }

/** The OpenAPI v2 document of all kinds, as JSON. */
export async function openApiV2(resources: readonly ServedResource[]): Promise<object> {
  const { components } = (await openApiDocument(resources)) as { components: { schemas: object } }
  const definitions = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('"#/components/schemas/', '"#/definitions/'),
  ) as object
  const paths = Object.fromEntries(
    resources.flatMap(operationsOf).map(({ path, operations }) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, { parameters, ...rest }]) => [
          method,
          {
            ...rest,
            parameters: parameters.map(({ name }) => ({ name, in: 'query', type: 'string', uniqueItems: true })),
          },
        ]),
      ),
    ]),
  )
  return { swagger: '2.0', info: INFO, paths, definitions }
}

/** Numbers of the fields of messages (source: gnostic, openapiv2/OpenAPIv2.proto). */
const DOCUMENT = { swagger: 1, info: 2, paths: 8 }
const PATH_ITEM: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 7 }
const OPERATION = { parameters: 8, responses: 9, extension: 13 }
const QUERY_PARAMETER = { in: 2, name: 4, type: 6 }

/**
 * The same as protobuf, without definitions: clients that ask for it want to know which parameters the server takes, and
 * where they find no definition they leave checking to the server.
 */
export function openApiV2Protobuf(resources: readonly ServedResource[]): Uint8Array {
  const paths = resources.flatMap(operationsOf).map(({ path, operations }): ProtobufField => {
    const item = Object.entries(operations).map(([method, operation]) =>
      message(PATH_ITEM[method] ?? 0, [
        ...operation.parameters.map(({ name }) => queryParameter(name)),
        message(OPERATION.responses, [named(1, '200', [message(1, [text(1, 'OK')])])]),
        ...(['x-kubernetes-action', 'x-kubernetes-group-version-kind'] as const).map((extension) =>
          named(OPERATION.extension, extension, [text(2, JSON.stringify(operation[extension]))]),
        ),
      ]),
    )
    return named(2, path, item)
  })
  return Buffer.concat([
    text(DOCUMENT.swagger, '2.0'),
    message(DOCUMENT.info, [text(1, INFO.title), text(2, INFO.version)]),
    message(DOCUMENT.paths, paths),
  ])
}

/** A parameter lies in three messages that say of what sort it is. */
function queryParameter(name: string): ProtobufField {
  const { in: where, name: called, type } = QUERY_PARAMETER
  const parameter = message(3, [text(where, 'query'), text(called, name), text(type, 'string')])
  return message(OPERATION.parameters, [message(1, [message(2, [parameter])])])
}

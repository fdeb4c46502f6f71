import type { KubeList, KubeObject } from '@trainjob/kube'
import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse, type ListBody } from '../api-response.ts'
import type { ServerContext } from '../server-context.ts'
import { mapEvents } from '../watch/map-events.ts'
import { acceptedForm } from './accepted-form.ts'
import { partialMetadata, tablePrinter } from './table.ts'

/** Turns objects of an answer into something else; lists keep their metadata. */
interface Form {
  list(list: KubeList<KubeObject>): ListBody
  /** Of a single object, or of one event of a watch. */
  object(object: KubeObject): object
}

/** The answer to a read in the form that the client prefers. */
export function inForm(
  context: ServerContext,
  call: ApiCall,
  answer: (context: ServerContext, call: ApiCall) => ApiResponse,
): ApiResponse {
  const accepted = acceptedForm(call.headers.accept)
  if (accepted === 'plain') return answer(context, call)
  const form = accepted === 'table' ? tableForm(context, call) : METADATA
  const { status, headers, body } = answer(context, call)
  if (body.type === 'json') {
    const { value } = body
    if (isList(value)) return { status, headers, body: form.list(value) }
    return jsonResponse(form.object(value as KubeObject), status, headers)
  }
  if (body.type !== 'events') return { status, headers, body }
  const batches = mapEvents(body.batches, (event) =>
    event.type === 'ERROR' ? event : { type: event.type, object: form.object(event.object as KubeObject) },
  )
  return { status, headers, body: { ...body, batches } }
}

function isList(value: unknown): value is KubeList<KubeObject> {
  return Array.isArray((value as Partial<KubeList<KubeObject>>).items)
}

function tableForm({ clock }: ServerContext, { resource, query }: ApiCall): Form {
  const printer = tablePrinter(resource, query.includeObject, () => clock.now())
  // of a watch only the first event says what the columns are
  let headings = true
  return {
    list: ({ items, metadata }) => ({
      type: 'list',
      head: printer.head(metadata),
      field: 'rows',
      objects: items,
      member: printer.row,
    }),
    object: (object) => {
      const { resourceVersion } = object.metadata
      const head = printer.head(resourceVersion === undefined ? {} : { resourceVersion }, headings)
      headings = false
      return { ...head, rows: [printer.row(object)] }
    },
  }
}

const METADATA: Form = {
  list: ({ items, metadata }) => ({
    type: 'list',
    head: { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata },
    field: 'items',
    objects: items,
    member: partialMetadata,
  }),
  object: partialMetadata,
}

import type { KubeList, KubeObject } from '@trainjob/kube'
import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse, type ServerEvent } from '../api-response.ts'
import type { ServerContext } from '../server-context.ts'
import { acceptedForm } from './accepted-form.ts'
import { partialMetadata, tablePrinter } from './table.ts'

/** Turns objects of an answer into something else; lists keep their metadata. */
interface Form {
  list(list: KubeList<KubeObject>): object
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
  if (body.type === 'json') return jsonResponse(shaped(body.value, form), status, headers)
  if (body.type === 'events') return { status, headers, body: { ...body, batches: shapedEvents(body.batches, form) } }
  return { status, headers, body }
}

function shaped(value: unknown, form: Form): object {
  const list = value as Partial<KubeList<KubeObject>>
  return Array.isArray(list.items) ? form.list(value as KubeList<KubeObject>) : form.object(value as KubeObject)
}

async function* shapedEvents(
  batches: AsyncIterable<readonly ServerEvent[]>,
  form: Form,
): AsyncGenerator<readonly ServerEvent[]> {
  for await (const batch of batches) {
    yield batch.map((event) =>
      event.type === 'ERROR' ? event : { type: event.type, object: form.object(event.object as KubeObject) },
    )
  }
}

function tableForm({ clock }: ServerContext, { resource, query }: ApiCall): Form {
  const printer = tablePrinter(resource, query.includeObject, () => clock.now())
  // of a watch only the first event says what the columns are
  let headings = true
  return {
    list: ({ items, metadata }) => printer.table(items, metadata),
    object: (object) => {
      const { resourceVersion } = object.metadata
      const table = printer.table([object], resourceVersion === undefined ? {} : { resourceVersion }, headings)
      headings = false
      return table
    },
  }
}

const METADATA: Form = {
  list: ({ items, metadata }) => ({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: items.map(partialMetadata),
  }),
  object: partialMetadata,
}

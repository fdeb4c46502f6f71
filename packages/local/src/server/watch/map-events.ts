import type { EventBatch, ServerEvent } from '../api-response.ts'

/** The same events in another form. */
export async function* mapEvents(
  batches: AsyncIterable<EventBatch>,
  map: (event: ServerEvent) => ServerEvent,
): AsyncGenerator<EventBatch> {
  for await (const batch of batches) yield { take: () => batch.take().map(map) }
}

import { lines } from '../lines.ts'
import { notJson } from '../status.ts'

/** One JSON value a line, as a watch sends them. Rejects with `ConnectionError` when a line is not JSON, as when it broke off. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of lines(chunks, Number.POSITIVE_INFINITY)) {
    if (line === '' || line === '\r') continue
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      throw notJson('the watch', line, error)
    }
    yield value
  }
}

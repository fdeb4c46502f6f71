import type { ServerEvent } from '../api-response.ts'

/** Makes text of what the server hands out, each stored object once for all who are sent it at about the same time. */
export interface JsonEncoder {
  /** The text of an object, which must not change any more. */
  text(object: object): string
  /** The lines of events in a watch stream. */
  lines(events: readonly ServerEvent[]): Buffer
}

/** Characters of text that are remembered: objects that watchers are about to be sent, behind the answer to a write. */
const REMEMBERED_LENGTH = 4 << 20
/** Batches of events whose lines are remembered: watchers of one kind are sent the same ones. */
const REMEMBERED_BATCHES = 4

/** An encoder for one listener. */
export function createJsonEncoder(): JsonEncoder {
  const texts = new Map<object, string>()
  let length = 0
  const batches: { readonly events: readonly ServerEvent[]; readonly bytes: Buffer }[] = []

  function text(object: object): string {
    const known = texts.get(object)
    if (known !== undefined) return known
    const made = JSON.stringify(object)
    texts.set(object, made)
    length += made.length
    for (const [oldest, text] of texts) {
      if (length <= REMEMBERED_LENGTH) break
      texts.delete(oldest)
      length -= text.length
    }
    return made
  }

  return {
    text,
    lines(events) {
      const known = batches.find((batch) => areSame(batch.events, events))
      if (known !== undefined) return known.bytes
      let all = ''
      for (const { type, object } of events) all += `{"type":"${type}","object":${text(object as object)}}\n`
      const bytes = Buffer.from(all)
      if (batches.length >= REMEMBERED_BATCHES) batches.shift()
      batches.push({ events, bytes })
      return bytes
    },
  }
}

function areSame(a: readonly ServerEvent[], b: readonly ServerEvent[]): boolean {
  if (a.length !== b.length) return false
  // the last ones tell batches apart soonest
  for (let index = a.length - 1; index >= 0; index--) {
    if (a[index]?.object !== b[index]?.object || a[index]?.type !== b[index]?.type) return false
  }
  return true
}

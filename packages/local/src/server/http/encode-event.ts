import type { ServerEvent } from '../api-response.ts'

/** How many encoded objects are remembered: those that many watchers are about to be sent. */
const REMEMBERED = 512

/** The line of an event in a watch stream. Objects are shared by all watchers, so each is encoded once. */
export function createEventEncoder(): (event: ServerEvent) => string {
  const texts = new Map<unknown, string>()
  return ({ type, object }) => {
    let text = texts.get(object)
    if (text === undefined) {
      text = JSON.stringify(object)
      if (texts.size >= REMEMBERED) texts.delete(texts.keys().next().value)
      texts.set(object, text)
    }
    return `{"type":"${type}","object":${text}}\n`
  }
}

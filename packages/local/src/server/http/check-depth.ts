import { endOfString } from '../decode/end-of-string.ts'
import { badRequest } from '../failures.ts'

/** Lists and maps may lie this deep inside each other. The objects of Kubernetes stay below 40. */
const MAX_DEPTH = 1000

/**
 * Refuses JSON (or what claims to be) that is nested so deeply that whoever walks through it would run out of stack.
 * Throws `ApiFailure` 400.
 */
export function checkDepth(text: string): void {
  // each level takes an opening character
  if (text.length <= MAX_DEPTH) return
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) {
        throw badRequest(`the object provided is unrecognized: it is nested more than ${MAX_DEPTH} levels deep`)
      }
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--
  }
}

const QUOTE = 34
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** One document of a stream. */
interface YamlChunk {
  readonly text: string
  /** Number of the line its first character stands on; the first is 1. */
  readonly line: number
}

export interface SplitYaml {
  readonly chunks: readonly YamlChunk[]
  readonly faults: readonly { readonly line: number; readonly message: string }[]
}

/**
 * Cuts a stream into documents as kubectl does: at each line that begins with `---`. So a broken document ends where
 * the next one begins. Source: k8s.io/apimachinery, pkg/util/yaml/decoder.go (YAMLReader).
 */
export function splitYaml(text: string): SplitYaml {
  const chunks: YamlChunk[] = []
  const faults: { line: number; message: string }[] = []
  let start = 0
  let startLine = 1
  let line = 0
  let at = 0
  const end = text.length
  while (at < end) {
    const newline = text.indexOf('\n', at)
    const next = newline === -1 ? end : newline + 1
    line++
    if (text.startsWith('---', at)) {
      if (at > start) chunks.push({ text: text.slice(start, at), line: startLine })
      const rest = text.slice(at + 3, next).trim()
      if (rest !== '' && !rest.startsWith('#')) {
        const message = `expected nothing after the document separator ---, found ${JSON.stringify(rest)}: put it on the next line`
        faults.push({ line, message })
      }
      start = next
      startLine = line + 1
    }
    at = next
  }
  if (end > start) chunks.push({ text: text.slice(start), line: startLine })
  return { chunks, faults }
}

import { docComments } from './doc-comment.ts'
import type { Example } from './example.ts'

/** Every `@example` in the doc comments of a source; each one ends at the next tag. */
export function sourceExamples(file: string, source: string): Example[] {
  if (!source.includes('@example')) return []
  return docComments(source).flatMap(({ lines, line, declaration }) => {
    const title = /^(?:export )?(?:declare |async |abstract |readonly )*(?:[a-z]+\*? +)?(\w+)/.exec(declaration)?.[1]
    return blocks(lines).map(({ at, code }) => ({
      title: title ?? declaration,
      file,
      line: line + at,
      code,
      ownNames: true,
    }))
  })
}

function blocks(lines: readonly string[]): { at: number; code: string }[] {
  return lines.flatMap((text, index) => {
    if (!text.startsWith('@example')) return []
    const rest = lines.slice(index + 1)
    const end = rest.findIndex((line) => /^@[a-z]/.test(line))
    const code = rest.slice(0, end === -1 ? undefined : end)
    return [{ at: index + 1, code: code.join('\n').trimEnd() }]
  })
}

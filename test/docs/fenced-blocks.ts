/** A fenced block of a Markdown document. */
export interface FencedBlock {
  /** First word behind the fence: `ts`, `sh`; empty when there is none. */
  readonly language: string
  /** The heading above it; empty before the first. */
  readonly heading: string
  /** Line that the text begins on, from 1. */
  readonly line: number
  readonly text: string
}

/** The blocks between lines of three or more backticks, in order. A block that is not closed ends with the document. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let heading = ''
  let open: { fence: string; language: string; line: number; lines: string[] } | undefined
  const close = (): void => {
    if (open !== undefined)
      blocks.push({ language: open.language, heading, line: open.line, text: open.lines.join('\n') })
    open = undefined
  }
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^(`{3,}) *(\w*)/.exec(line)
    if (open !== undefined) {
      if (fence?.[1] !== undefined && fence[1].length >= open.fence.length && fence[2] === '') close()
      else open.lines.push(line)
    } else if (fence !== null) {
      open = { fence: fence[1] ?? '', language: fence[2] ?? '', line: index + 2, lines: [] }
    } else heading = /^#+ +(.*)/.exec(line)?.[1] ?? heading
  }
  close()
  return blocks
}

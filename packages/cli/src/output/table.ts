export interface TableOptions {
  /** Default true. */
  readonly headers?: boolean
}

/** kubectl's tables: upper-case headers, three blanks between columns, no lines, nothing behind the last column. */
export function printTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const lines = options.headers === false ? rows : [headers, ...rows]
  const widths = headers.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? '')), 0))
  return lines
    .map((line) => {
      const text = widths.map((width, column) => pad(line[column] ?? '', width)).join('   ')
      return `${text.trimEnd()}\n`
    })
    .join('')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** Cells on a terminal: combining marks take none, East Asian wide characters and emoji two. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  // made here because it takes longer than a table, and texts like these are rare
  const graphemes = new Intl.Segmenter()
  let width = 0
  for (const { segment } of graphemes.segment(text))
    width +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
        segment,
      )
        ? 2
        : 1
  return width
}

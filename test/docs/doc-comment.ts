/** A doc comment as text. */
export interface DocComment {
  /** Without the stars, one string a line. */
  readonly lines: readonly string[]
  /** Line of the file on which it begins, from 1. */
  readonly line: number
  /** What follows it. */
  readonly declaration: string
}

/** Every doc comment of a TypeScript source, in order. */
export function docComments(source: string): DocComment[] {
  const found: DocComment[] = []
  for (const match of source.matchAll(/^[ \t]*\/\*\*(.*?)\*\/[ \t]*\n?([^\n]*)/gms)) {
    const [, text = '', declaration = ''] = match
    found.push({
      lines: text.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd()),
      line: source.slice(0, match.index).split('\n').length,
      declaration: declaration.trim(),
    })
  }
  return found
}

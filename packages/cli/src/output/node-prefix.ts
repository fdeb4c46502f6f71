import type { Style } from './color.ts'

const COLORS: readonly Style[] = [
  'cyan',
  'yellow',
  'green',
  'magenta',
  'blue',
  'cyanBright',
  'yellowBright',
  'greenBright',
]

/**
 * `node-0 | ` in front of each line, as wide as the longest name known so far; each node keeps its colour.
 *
 * @example
 * const prefix = nodePrefix((_style, text) => text, ['node-9', 'node-10'])
 * prefix('node-9') // => 'node-9  | '
 */
export function nodePrefix(
  paint: (style: Style, text: string) => string,
  names: Iterable<string> = [],
): (node: string) => string {
  const known = new Map<string, string>()
  let width = Math.max(0, ...[...names].map((name) => name.length))
  return (node) => {
    const made = known.get(node)
    if (made !== undefined) return made
    if (node.length > width) {
      width = node.length
      known.clear()
    }
    const prefix = `${paint(COLORS[colorOf(node)] as Style, `${node.padEnd(width)} |`)} `
    known.set(node, prefix)
    return prefix
  }
}

/** By the node's number, so that neighbours differ; by its letters where it has none. */
function colorOf(node: string): number {
  const number = /\d+$/.exec(node)?.[0]
  const seed = number === undefined ? [...node].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) : Number(number)
  return seed % COLORS.length
}

/** `target`, an absolute path that a container expects, and where this machine has it. */
export interface PathMapping {
  readonly target: string
  readonly source: string
}

/**
 * Rewrites paths below the targets to where they really are: in a command, an argument or an env value, at the
 * beginning, after white space or after a sign that ends a word (`=`, `:`, quotes, brackets, …). `$HOME/workspace`,
 * `./workspace` and `/mnt/workspace` are no paths below `/workspace`; `/workspaces` is not either. The longest target
 * wins.
 *
 * @example
 * rewritePaths('--out=/workspace/m.pt', [{ target: '/workspace', source: '/home/me/digits' }])
 * // => '--out=/home/me/digits/m.pt'
 */
export function rewritePaths(text: string, map: readonly PathMapping[]): string {
  if (!text.includes('/')) return text
  const useful = map.filter(({ source, target }) => source !== target && text.includes(target))
  if (useful.length === 0) return text
  const targets = useful.map(({ target }) => target).sort((a, b) => b.length - a.length)
  const pattern = new RegExp(
    `(?<=^|[\\s"'\`=:,;([{<>|&@]|file://)(?:${targets.map(literal).join('|')})(?![\\w.-])`,
    'g',
  )
  const sources = new Map(useful.map(({ target, source }) => [target, source]))
  return text.replace(pattern, (found) => sources.get(found) ?? found)
}

/** Where a path of the container is on this machine; itself when no mapping covers it. */
export function mapPath(path: string, map: readonly PathMapping[]): string {
  let best: PathMapping | undefined
  for (const entry of map) {
    if (path !== entry.target && !path.startsWith(`${entry.target}/`)) continue
    if (best === undefined || entry.target.length > best.target.length) best = entry
  }
  return best === undefined ? path : best.source + path.slice(best.target.length)
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

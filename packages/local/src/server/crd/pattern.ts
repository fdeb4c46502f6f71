/**
 * A pattern of Go's regular expressions as one of ours. What Go writes in another way is translated: flags at the
 * start, `\A`, `\z`, classes of POSIX. Throws `SyntaxError`.
 */
export function compilePattern(pattern: string): RegExp {
  const [head = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? []
  const body = pattern
    .slice(head.length)
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole)
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\z/g, '$')
    .replaceAll('(?P<', '(?<')
  try {
    return new RegExp(body, `${flags}u`)
  } catch {
    // escapes of plain characters, which Go takes, are no Unicode patterns here
    return new RegExp(body, flags)
  }
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
}

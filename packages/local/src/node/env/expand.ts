/**
 * Kubernetes' `$(NAME)` in env values, command and args: replaced where the name is known, left as it stands where it
 * is not; `$$` is one dollar sign (source: kubernetes, third_party/forked/golang/expansion).
 *
 * @example
 * expand('$(A)-$$(A)-$(B)', new Map([['A', '1']])) // => '1-$(A)-$(B)'
 */
export function expand(text: string, known: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text
  let out = ''
  let from = 0
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', from)) {
    out += text.slice(from, at)
    const next = text[at + 1]
    const close = next === '(' ? text.indexOf(')', at + 2) : -1
    if (next === '$') {
      out += '$'
      from = at + 2
    } else if (close !== -1) {
      out += known.get(text.slice(at + 2, close)) ?? text.slice(at, close + 1)
      from = close + 1
    } else {
      // A lone dollar sign, or an opened reference without its end: text like any other.
      out += '$'
      from = at + 1
    }
  }
  return out + text.slice(from)
}

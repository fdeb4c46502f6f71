/**
 * Whether a path matches a shell pattern as Python's `fnmatch` reads it: `*` also crosses folders, `?` is one sign,
 * `[…]` one of several; a pattern that ends in `/` means everything below (source: huggingface_hub, filter_repo_objects).
 *
 * @example
 * matchesPattern('data/train.bin', '*.bin') // true
 */
export function matchesPattern(path: string, pattern: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}*` : pattern
  let text = ''
  for (let at = 0; at < whole.length; at++) {
    const sign = whole[at] as string
    if (sign === '*') {
      // several stars say no more than one, and cost more
      if (!text.endsWith('.*')) text += '.*'
    } else if (sign === '?') text += '.'
    else if (sign === '[') {
      const close = whole.indexOf(']', at + (whole[at + 1] === '!' ? 3 : 2))
      if (close === -1) text += '\\['
      else {
        const set = whole.slice(at + 1, close).replace(/[\\\]^]/g, '\\$&')
        text += set.startsWith('!') ? `[^${set.slice(1)}]` : `[${set}]`
        at = close
      }
    } else text += sign.replace(/[.+^${}()|\\]/g, '\\$&')
  }
  try {
    return new RegExp(`^${text}$`, 's').test(path)
  } catch {
    // a range that is upside down matches nothing
    return false
  }
}

/** Files that match a pattern of `allow` (any file when left out) and none of `ignore`. */
export function selectFiles<T extends { readonly path: string }>(
  files: readonly T[],
  ignore: readonly string[],
  allow?: readonly string[],
): T[] {
  return files.filter(
    ({ path }) =>
      (allow === undefined || allow.some((pattern) => matchesPattern(path, pattern))) &&
      !ignore.some((pattern) => matchesPattern(path, pattern)),
  )
}

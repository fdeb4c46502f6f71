/**
 * The variables of a file that containers exchange (`fileKeyRef`): `NAME=value` a line, blank lines and `#` comments left
 * out, a value in single quotes is what stands between them, also over several lines (source: kubernetes, KEP-3721).
 */
export function parseEnvFile(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const match = /^\s*(?:export\s+)?([^\s=#'"]+)\s*=(.*)$/.exec(line)
    if (match === null) continue
    let value = (match[2] as string).trim()
    if (value.startsWith("'")) {
      value = value.slice(1)
      while (!value.includes("'") && at + 1 < lines.length) value += `\n${lines[++at]}`
      value = value.split("'", 1)[0] as string
    }
    found.set(match[1] as string, value)
  }
  return found
}

import type { LogLine } from '@trainjob/sdk'

/** Reads until a line has the text, and hands back all up to it. Fails when the log ends before. */
export async function readUntil(log: AsyncIterable<LogLine>, text: string): Promise<readonly LogLine[]> {
  const found: LogLine[] = []
  for await (const line of log) {
    found.push(line)
    if (line.text.includes(text)) return found
  }
  throw new Error(`the log ended without "${text}" after:\n${found.map((line) => line.text).join('\n')}`)
}

/** All lines of a log, as `node: text`. */
export async function readAll(log: AsyncIterable<LogLine>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const line of log) found.push(`${line.node}: ${line.text}`)
  return found
}

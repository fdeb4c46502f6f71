import type { LogLine, LogsOptions } from '@trainjob/sdk'
import type { FoundRecord } from '../../record/read-record.ts'
import type { RecordedLine } from '../../record/run-record.ts'

/** The lines of a record as a cluster would have given them. A record has the main containers only, of all attempts. */
export async function* recordedLogs(
  { lines }: Pick<FoundRecord, 'lines'>,
  options: LogsOptions,
  now: number,
): AsyncGenerator<LogLine> {
  const nodes = typeof options.node === 'string' ? [options.node] : options.node
  const since = options.since instanceof Date ? options.since.getTime() : now - (options.since ?? Infinity) * 1000
  const wanted = ({ node, container, at }: RecordedLine): boolean =>
    (nodes === undefined || nodes.some((name) => node === name || node.startsWith(`${name}-`))) &&
    (options.container === undefined || container === options.container) &&
    Date.parse(at) >= since
  if (options.tail === undefined) {
    for await (const line of lines()) if (wanted(line)) yield logLine(line, options)
    return
  }
  const last = new Map<string, RecordedLine[]>()
  const kept: RecordedLine[] = []
  for await (const line of lines()) {
    if (!wanted(line)) continue
    const ofNode = last.get(line.node) ?? []
    last.set(line.node, ofNode)
    ofNode.push(line)
    if (ofNode.length > options.tail) ofNode.shift()
    kept.push(line)
  }
  const shown = new Set([...last.values()].flat())
  for (const line of kept) if (shown.has(line)) yield logLine(line, options)
}

function logLine({ node, container, text, at }: RecordedLine, { timestamps }: LogsOptions): LogLine {
  return { node, pod: '', container, text, ...(timestamps ? { timestamp: at } : {}) }
}

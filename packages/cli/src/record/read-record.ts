import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lines } from '@trainjob/kube'
import type { RecordedLine, RunRecord } from './run-record.ts'
import { recordName } from './runs-dir.ts'

/** A record of a run, and where it is kept. */
export interface FoundRecord {
  readonly folder: string
  readonly record: RunRecord
  lines(): AsyncIterable<RecordedLine>
}

/** The record of a job that ran here; `undefined` when there is none. */
export async function readRecord(dir: string, name: string, namespace: string): Promise<FoundRecord | undefined> {
  if (name.includes('/') || name.startsWith('.')) return undefined
  const folder = join(dir, recordName(name, namespace))
  let record: RunRecord
  try {
    record = JSON.parse(await readFile(join(folder, 'record.json'), 'utf8')) as RunRecord
  } catch {
    return undefined
  }
  return { folder, record, lines: () => recordedLines(join(folder, 'log.jsonl')) }
}

async function* recordedLines(file: string): AsyncGenerator<RecordedLine> {
  for await (const line of lines(createReadStream(file))) {
    if (line !== '') yield JSON.parse(line) as RecordedLine
  }
}

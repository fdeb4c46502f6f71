import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type RecordedLine, RUNS_KEPT, type RunRecord } from './run-record.ts'
import { recordName } from './runs-dir.ts'

/** Keeps what a run prints; `close` makes it findable under the job's name. */
export interface RecordWriter {
  write(line: RecordedLine): void
  /** Ends the log, files the record, and drops what is beyond the last runs. Answers the record's folder. */
  close(record: RunRecord): Promise<string | undefined>
}

export interface RecordWriterOptions {
  /** Of all records; made when it is missing. */
  readonly dir: string
  /** Makes the folder of this run differ from that of another process. */
  readonly unique: string
  /** Told once when nothing more can be kept: the disk is full, the folder not writable. */
  readonly onFailure: (error: Error) => void
}

/**
 * A record under a name of its own until it is closed, so that two runs of one name cannot mix. Failing to keep it
 * never fails the run.
 */
export async function createRecordWriter(options: RecordWriterOptions): Promise<RecordWriter> {
  const temporary = join(options.dir, `.${options.unique}`)
  let failed = false
  const fail = (error: unknown): void => {
    if (failed) return
    failed = true
    options.onFailure(error instanceof Error ? error : new Error(String(error)))
  }
  let log: WriteStream | undefined
  try {
    await mkdir(temporary, { recursive: true, mode: 0o700 })
    log = createWriteStream(join(temporary, 'log.jsonl'), { mode: 0o600 })
    log.on('error', fail)
  } catch (error) {
    fail(error)
  }
  return {
    write: (line) => {
      if (!failed) log?.write(`${JSON.stringify(line)}\n`)
    },
    close: async (record) => {
      try {
        if (log === undefined || failed) return undefined
        log.end()
        await finished(log)
        await writeFile(join(temporary, 'record.json'), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
        const folder = join(options.dir, recordName(record.name, record.namespace))
        await rm(folder, { recursive: true, force: true })
        await rename(temporary, folder)
        await prune(options.dir)
        return folder
      } catch (error) {
        fail(error)
        return undefined
      } finally {
        await rm(temporary, { recursive: true, force: true }).catch(fail)
      }
    },
  }
}

/** Keeps the newest runs; drops what a run that was killed left behind a day ago. */
async function prune(dir: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(dir)).map(async (name) => {
      const { mtimeMs } = await stat(join(dir, name)).catch(() => ({ mtimeMs: 0 }))
      return { name, mtimeMs }
    }),
  )
  const newest = entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => b.mtimeMs - a.mtimeMs)
  const now = newest[0]?.mtimeMs ?? 0
  const abandoned = entries.filter(({ name, mtimeMs }) => name.startsWith('.') && now - mtimeMs > 86_400_000)
  for (const { name } of [...newest.slice(RUNS_KEPT), ...abandoned]) {
    await rm(join(dir, name), { recursive: true, force: true })
  }
}

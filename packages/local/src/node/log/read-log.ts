import { type FileHandle, open } from 'node:fs/promises'
import type { LogOptions } from '@trainjob/kube'
import type { ContainerLog } from './container-log.ts'
import { criFlag, criTime, PARTIAL, TEXT_AT, TIME_LENGTH } from './cri-line.ts'

const BLOCK_BYTES = 64 * 1024
const LINE_END = 0x0a

export interface LogToRead {
  readonly path: string
  /** The writer, while there is one in this process. */
  readonly live?: ContainerLog | undefined
}

/**
 * What a container printed, as `kubectl logs` wants it: see `LogOptions`. A follower gets new records straight from
 * the writer when it has read everything before them, and from the file when it has not, so it neither waits nor
 * makes the writer keep anything for it.
 *
 * @param now milliseconds since the epoch, for `sinceSeconds`
 */
export async function* readLog(log: LogToRead, options: LogOptions, now: number): AsyncGenerator<Uint8Array> {
  const render = createRenderer(options, now)
  for await (const block of records(log, options)) {
    const shown = render(block)
    if (shown.length > 0) yield shown
    if (render.full()) return
  }
}

/** The records from where `tailLines` begins: those in the file, and for a follower those to come. */
async function* records(log: LogToRead, options: LogOptions): AsyncGenerator<Buffer> {
  const { live } = log
  const { signal, follow = false } = options
  let file = await openIfThere(log.path)
  try {
    let offset = file === undefined ? 0 : await tailStart(file, options.tailLines)
    while (signal?.aborted !== true) {
      file ??= await openIfThere(log.path)
      let block = file && (await readRecords(file, offset))
      if (block === undefined && (live === undefined || offset >= live.size)) {
        if (!follow || live === undefined || live.closed) return
        block = await nextRecords(live, signal)
      }
      if (block === undefined) continue
      offset += block.length
      yield block
    }
  } finally {
    await file?.close()
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A block of whole records from `offset` on, or nothing at the end of the file. */
async function readRecords(file: FileHandle, offset: number): Promise<Buffer | undefined> {
  for (let length = BLOCK_BYTES; ; length *= 2) {
    const block = Buffer.allocUnsafe(length)
    const { bytesRead } = await file.read(block, 0, length, offset)
    const end = block.subarray(0, bytesRead).lastIndexOf(LINE_END) + 1
    if (end > 0) return block.subarray(0, end)
    // no line end in a full block: a record longer than that; in a block that is not full: the file's end
    if (bytesRead < length) return undefined
  }
}

/** Where the last `lines` records begin. */
async function tailStart(file: FileHandle, lines: number | undefined): Promise<number> {
  if (lines === undefined) return 0
  const { size } = await file.stat()
  if (lines === 0) return size
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let seen = 0
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK_BYTES)
    const { bytesRead } = await file.read(block, 0, end - from, from)
    for (let at = bytesRead - 1; at >= 0; at--) {
      if (block[at] !== LINE_END) continue
      // the line end at the very end of the file closes the last record, it begins none
      if (from + at + 1 < size && ++seen === lines) return from + at + 1
    }
    end = from
  }
  return 0
}

/** What is written next; nothing when the container has ended or nobody listens any more. */
function nextRecords(live: ContainerLog, signal: AbortSignal | undefined): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const done = (records: Buffer | undefined): void => {
      signal?.removeEventListener('abort', aborted)
      resolve(records)
    }
    const stop = live.onNext(done)
    const aborted = (): void => {
      stop()
      resolve(undefined)
    }
    // it may have fired while the file was read, and then no event comes any more
    if (signal?.aborted === true) aborted()
    else signal?.addEventListener('abort', aborted, { once: true })
  })
}

interface Renderer {
  /** What to show of whole records. */
  (records: Buffer): Buffer
  /** `limitBytes` is reached. */
  full(): boolean
}

function createRenderer(options: LogOptions, now: number): Renderer {
  const { timestamps = false, sinceTime, sinceSeconds, limitBytes = Number.POSITIVE_INFINITY } = options
  const since =
    sinceSeconds !== undefined ? now - sinceSeconds * 1000 : sinceTime === undefined ? undefined : Date.parse(sinceTime)
  let skipBefore = since === undefined || Number.isNaN(since) ? undefined : criTime(since)
  let left = limitBytes
  let lineBegins = true

  const render = (records: Buffer): Buffer => {
    const out = Buffer.allocUnsafe(records.length)
    let written = 0
    for (let from = 0; from < records.length; ) {
      const end = records.indexOf(LINE_END, from)
      const flag = criFlag(records, from)
      const next = end + 1
      if (
        flag !== 0 &&
        (skipBefore === undefined || records.toString('latin1', from, from + TIME_LENGTH) >= skipBefore)
      ) {
        // times only grow: what follows needs no comparison
        skipBefore = undefined
        if (timestamps && lineBegins) written += records.copy(out, written, from, from + TIME_LENGTH + 1)
        written += records.copy(out, written, from + TEXT_AT, flag === PARTIAL ? end : next)
        lineBegins = flag !== PARTIAL
      }
      from = next
    }
    const shown = out.subarray(0, Math.min(written, left))
    left -= shown.length
    return shown
  }
  return Object.assign(render, { full: () => left <= 0 })
}

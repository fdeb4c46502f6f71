import { closeSync, openSync, writeSync } from 'node:fs'
import type { OutputStream } from '../runner.ts'
import { criPrefix, criTime, MAX_LINE_BYTES } from './cri-line.ts'

/** The log file of one attempt of a container, while it is written. */
export interface ContainerLog {
  readonly path: string
  /** Bytes written so far. */
  readonly size: number
  /** No more will be written. */
  readonly closed: boolean
  /** Whole lines are written at once, the rest of a line when it is complete. Never throws, see `onFailure`. */
  write(stream: OutputStream, chunk: Buffer): void
  /** Writes what is left of lines, and tells the readers that this was all. */
  close(): void
  /** Calls `reader` once, after the next write (with what it wrote) or at the end (with nothing). */
  onNext(reader: (records: Buffer | undefined) => void): () => void
}

/** What a log needs from its surroundings. */
export interface ContainerLogOptions {
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Called once when the file cannot be written, for example on a full disk. Nothing is written after that. */
  readonly onFailure: (error: Error) => void
}

/**
 * Opens the file at the first output. Writes are synchronous: a write into the page cache is a copy, it keeps the
 * order without a queue, and a process that prints too much waits instead of filling the memory.
 */
export function createContainerLog(options: ContainerLogOptions): ContainerLog {
  const { path } = options
  const rest: Record<OutputStream, string> = { stdout: '', stderr: '' }
  let readers: Set<(records: Buffer | undefined) => void> = new Set()
  let fd: number | undefined
  let size = 0
  let closed = false
  let failed = false
  let lastMs = 0
  let lastTime = criTime(0)

  function time(): string {
    const now = Math.max(options.now(), lastMs)
    if (now !== lastMs) {
      lastMs = now
      lastTime = criTime(now)
    }
    return lastTime
  }

  function put(text: string): void {
    if (failed || text === '') return
    const bytes = Buffer.from(text, 'latin1')
    try {
      fd ??= openSync(path, 'a', 0o600)
      let done = 0
      while (done < bytes.length) done += writeSync(fd, bytes, done)
    } catch (error) {
      failed = true
      options.onFailure(error as Error)
      return
    }
    size += bytes.length
    wake(bytes)
  }

  function wake(records: Buffer | undefined): void {
    if (readers.size === 0) return
    const woken = readers
    readers = new Set()
    for (const reader of woken) reader(records)
  }

  function parts(stream: OutputStream, line: string): string {
    let out = ''
    const prefix = criPrefix(time(), stream, true)
    let from = 0
    for (; line.length - from > MAX_LINE_BYTES; from += MAX_LINE_BYTES) {
      out += `${prefix}${line.slice(from, from + MAX_LINE_BYTES)}\n`
    }
    rest[stream] = line.slice(from)
    return out
  }

  return {
    path,
    get size() {
      return size
    },
    get closed() {
      return closed
    },
    write(stream, chunk) {
      if (closed) return
      // latin1 keeps every byte, and lets the engine's own string search find the lines
      const text = rest[stream] + chunk.toString('latin1')
      const end = text.lastIndexOf('\n')
      const whole = end === -1 ? '' : full(stream, text.slice(0, end))
      put(whole + parts(stream, text.slice(end + 1)))
    },
    close() {
      if (closed) return
      for (const stream of ['stdout', 'stderr'] as const) {
        if (rest[stream] !== '') put(`${criPrefix(time(), stream, false)}${rest[stream]}\n`)
        rest[stream] = ''
      }
      closed = true
      if (fd !== undefined) closeSync(fd)
      wake(undefined)
    },
    onNext(reader) {
      readers.add(reader)
      return () => readers.delete(reader)
    },
  }

  /** Records of complete lines, the last without its line end. */
  function full(stream: OutputStream, lines: string): string {
    const prefix = criPrefix(time(), stream, false)
    if (lines.length <= MAX_LINE_BYTES) return `${prefix}${lines.replaceAll('\n', `\n${prefix}`)}\n`
    let out = ''
    for (const line of lines.split('\n')) {
      const head = line.length > MAX_LINE_BYTES ? parts(stream, line) : ''
      out += `${head}${prefix}${head === '' ? line : rest[stream]}\n`
    }
    rest[stream] = ''
    return out
  }
}

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { criFlag, PARTIAL, TEXT_AT } from '../log/cri-line.ts'

/** Where a container says why it ended, unless it names another file (Kubernetes' default). */
export const DEFAULT_TERMINATION_PATH = '/dev/termination-log'

/** As a kubelet cuts them. */
const MESSAGE_BYTES = 4_096
const LOG_BYTES = 2_048
const LOG_LINES = 80

/** Where the message of an attempt may stand. */
export interface TerminationFiles {
  /** What the container wrote; nothing if it was last written at `writtenBefore`. */
  readonly message: { readonly file: string; readonly writtenBefore?: number }
  /** Its log, for `FallbackToLogsOnError`. */
  readonly log: string
}

/**
 * What a container said about its end: the file's content, or the end of the log when the file is empty, the container
 * failed and its policy is `FallbackToLogsOnError`. `undefined` when it said nothing.
 */
export function terminationMessage(files: TerminationFiles, policy: unknown, exitCode: number): string | undefined {
  const { file, writtenBefore } = files.message
  const written =
    writtenBefore !== undefined && statSync(file, { throwIfNoEntry: false })?.mtimeMs === writtenBefore
      ? ''
      : head(file)
  if (written !== '') return written
  if (policy !== 'FallbackToLogsOnError' || exitCode === 0) return undefined
  const printed = tailOfLog(files.log)
  return printed === '' ? undefined : printed
}

function head(path: string): string {
  return readPart(path, () => ({ from: 0, length: MESSAGE_BYTES })).toString('utf8')
}

function tailOfLog(path: string): string {
  // records are longer than their texts, by a third in the worst usual case
  const block = readPart(path, (size) => ({ from: Math.max(0, size - 8 * LOG_BYTES), length: 8 * LOG_BYTES }))
  const texts: Buffer[] = []
  let lines = 0
  for (let end = block.lastIndexOf(0x0a); end > 0 && lines < LOG_LINES; ) {
    const from = block.lastIndexOf(0x0a, end - 1) + 1
    const flag = criFlag(block, from)
    if (flag === 0) break
    if (flag !== PARTIAL) lines++
    texts.unshift(block.subarray(from + TEXT_AT, flag === PARTIAL ? end : end + 1))
    end = from - 1
  }
  const text = Buffer.concat(texts)
  return text.subarray(Math.max(0, text.length - LOG_BYTES)).toString('utf8')
}

function readPart(path: string, part: (size: number) => { from: number; length: number }): Buffer {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return Buffer.alloc(0)
  }
  try {
    const { from, length } = part(fstatSync(fd).size)
    const block = Buffer.alloc(length)
    return block.subarray(0, readSync(fd, block, 0, length, from))
  } catch {
    // a folder, or something that cannot be read from a place
    return Buffer.alloc(0)
  } finally {
    closeSync(fd)
  }
}

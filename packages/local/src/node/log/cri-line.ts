import type { OutputStream } from '../runner.ts'

// Log files hold one record a line, as container runtimes of Kubernetes (CRI) write them: time, stream, a flag and the
// text. The flag is `F` for a full line, `P` for a part of a line that goes on in the stream's next record.

/** Length of a time as `criTime` writes it. */
export const TIME_LENGTH = 30

/** Lines longer than this are kept in parts. */
export const MAX_LINE_BYTES: number = 16 * 1024

/** Milliseconds since the epoch as written in a record. */
export function criTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000000Z`
}

/** What stands before the text of a record. */
export function criPrefix(time: string, stream: OutputStream, partial: boolean): string {
  return `${time} ${stream} ${partial ? 'P' : 'F'} `
}

/** Where in a record its text begins: `<time> stdout F ` and `<time> stderr F ` have the same length. */
export const TEXT_AT: number = TIME_LENGTH + 10

/** Flags of a record, as bytes. */
const FULL = 0x46
export const PARTIAL = 0x50

/** The flag of the record that starts at `from`; 0 for what is no record (a line cut by a crash). */
export function criFlag(text: Buffer, from: number): number {
  const flag = text[from + TIME_LENGTH + 8]
  return text[from + TIME_LENGTH] === 0x20 && (flag === FULL || flag === PARTIAL) ? flag : 0
}

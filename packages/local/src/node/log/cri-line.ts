import type { OutputStream } from '../runner.ts'

/**
 * Log files hold one record a line, as container runtimes of Kubernetes (CRI) write them: time, stream, a flag and the
 * text. The flag is `F` for a full line, `P` for a part of a line that goes on in the stream's next record.
 */
export interface CriRecord {
  /** RFC 3339 with nine digits after the second. */
  readonly time: string
  readonly partial: boolean
  /** Where in the record the text begins. */
  readonly textAt: number
}

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

/** Reads the head of the record that starts at `from`; `undefined` for what is no record (a line cut by a crash). */
export function parseCriRecord(text: Buffer, from: number): CriRecord | undefined {
  // `<time> stdout F ` and `<time> stderr F ` have the same length.
  const flag = text[from + TIME_LENGTH + 8]
  if (text[from + TIME_LENGTH] !== 0x20 || (flag !== 0x46 && flag !== 0x50)) return undefined
  return {
    time: text.toString('latin1', from, from + TIME_LENGTH),
    partial: flag === 0x50,
    textAt: from + TIME_LENGTH + 10,
  }
}

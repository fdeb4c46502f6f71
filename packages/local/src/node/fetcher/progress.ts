import type { RemoteFile } from './remote-file.ts'

/** How far a download is. */
export interface Progress {
  see(file: RemoteFile, done: number, total: number | undefined): void
  /** `12.3 MB of 45.0 MB (27 %), 3 of 7 files`. */
  line(): string
}

export function createProgress(files: readonly RemoteFile[]): Progress {
  const totals = new Map<RemoteFile, number | undefined>(files.map((file) => [file, file.size]))
  const sizes = new Map<RemoteFile, number>()
  let sum = 0
  return {
    see(file, done, total) {
      sum += done - (sizes.get(file) ?? 0)
      sizes.set(file, done)
      if (total !== undefined) totals.set(file, total)
    },
    line() {
      let total: number | undefined = 0
      let complete = 0
      for (const [file, size] of totals) {
        total = size === undefined || total === undefined ? undefined : total + size
        if (size !== undefined && sizes.get(file) === size) complete++
      }
      const percent = total === undefined || total === 0 ? '' : ` (${Math.floor((100 * sum) / total)} %)`
      const of = total === undefined ? '' : ` of ${bytesText(total)}`
      const count = files.length === 1 ? '' : `, ${complete} of ${files.length} files`
      return `${bytesText(sum)}${of}${percent}${count}`
    },
  }
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

function bytesText(bytes: number): string {
  let unit = 0
  let amount = bytes
  for (; amount >= 1000 && unit < UNITS.length - 1; unit++) amount /= 1000
  return `${unit === 0 ? amount : amount.toFixed(1)} ${UNITS[unit]}`
}

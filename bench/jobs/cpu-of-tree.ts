import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the times in `/proc`, in ms. */
const TICK_MS = 10

/**
 * CPU time in ms that this process, those that it started and those that they started have used so far, with that of
 * their children that have ended. `undefined` where there is no `/proc`.
 *
 * @param also roots of other trees, of processes that have left this one
 */
export function cpuOfTree(also: readonly number[] = []): number | undefined {
  const parents = new Map<number, number>()
  const used = new Map<number, number>()
  for (const entry of readdir('/proc')) {
    const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : ''
    if (stat === '') continue
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const pid = Number(entry)
    parents.set(pid, Number(fields[1]))
    used.set(pid, fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS)
  }
  if (used.size === 0) return undefined
  const roots = new Set([process.pid, ...also])
  let sum = 0
  for (const [pid, ms] of used) if (isBelow(pid)) sum += ms
  return sum

  function isBelow(pid: number | undefined): boolean {
    return pid !== undefined && (roots.has(pid) || isBelow(parents.get(pid)))
  }
}

function readdir(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** `''` for a process that has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** Env variable that names the engine whose process it is; the reaper looks for it. */
export const ENGINE_MARK = 'TRAINJOB_ENGINE'

/** Env variable that names the attempt of a container whose process it is. */
export const CONTAINER_MARK = 'TRAINJOB_CONTAINER'

/**
 * Process ids by the value of an env variable they were started with. This finds processes that left their process
 * group and lost their parents. Empty where there is no `/proc` (then the process group is all there is).
 */
export function markedProcesses(variable: string, values: ReadonlySet<string>): number[] {
  const found: number[] = []
  for (const entry of processIds()) {
    const environment = readEnvironment(entry)
    const at = environment.startsWith(`${variable}=`) ? 0 : environment.indexOf(`\0${variable}=`) + 1
    if (at === 0 && !environment.startsWith(`${variable}=`)) continue
    const from = at + variable.length + 1
    const end = environment.indexOf('\0', from)
    if (values.has(environment.slice(from, end === -1 ? undefined : end))) found.push(Number(entry))
  }
  return found
}

function processIds(): string[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  } catch {
    return []
  }
}

/** `''` for processes of others and for those that have just ended. */
function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}

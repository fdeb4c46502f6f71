import { setTimeout } from 'node:timers/promises'
import { markedProcesses } from './marked-processes.ts'

// Processes die in their own time, so these are times of the system and not of a clock that tests may stop.
/** How long, and how often, killed processes are waited for. One that hangs in the kernel cannot be. */
const DYING_MS = 2_000
const DYING_STEP_MS = 2
/** A process may fork while it is looked for. */
const SWEEP_ROUNDS = 20

/** Kills what carries the mark, and waits until it is gone: a killed process takes a moment to die. */
export async function endMarked(variable: string, value: string): Promise<void> {
  const values = new Set([value])
  for (let waited = 0; killMarked(variable, values) && waited < DYING_MS; waited += DYING_STEP_MS) {
    await setTimeout(DYING_STEP_MS)
  }
}

/** Looks again until no new process is found: one may fork while it is looked for. Says whether there was any. */
export function killMarked(variable: string, values: ReadonlySet<string>): boolean {
  const killed = new Set<number>()
  for (let found = true, round = 0; found && round < SWEEP_ROUNDS; round++) {
    found = false
    for (const pid of markedProcesses(variable, values)) {
      if (killed.has(pid)) continue
      killed.add(pid)
      found = true
      signalProcess(pid, 'SIGKILL')
    }
  }
  return killed.size > 0
}

/** Negative ids are groups. A process that is gone needs no signal. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

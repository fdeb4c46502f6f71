import { join } from 'node:path'
import type { CommandIO } from '../command-io.ts'
import { dataDir } from '../connect/data-dir.ts'

/** The folder of all records. */
export function runsDir(env: CommandIO['env']): string {
  return join(dataDir(env), 'runs')
}

/** Name of a run's folder: the job's own name, and its namespace where that is not `default`. */
export function recordName(name: string, namespace: string): string {
  return namespace === 'default' ? name : `${name}@${namespace}`
}

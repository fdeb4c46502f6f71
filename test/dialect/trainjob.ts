import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runProgram } from '../run-program.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/trainjob.js')

/** Runs the command line in a folder, to its end. */
export function trainjob(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const own = { PATH: process.env.PATH, HOME: cwd, TMPDIR: tmpdir(), ...env }
  return runProgram(process.execPath, [PROGRAM, ...args], { cwd, env: own })
}

import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Ended, runProgram } from '../run-program.ts'

/** The root of the repository. */
export const ROOT: string = join(import.meta.dirname, '../..')

/** Where programs under test keep their data. */
export const DATA_HOME: string = join(tmpdir(), `trainjob-packaging-data-${process.pid}`)

/** Builds and installations take their time. */
const TIMEOUT_MS = 600_000

/** Runs a program to its end, with this Node and the workspace's tools first on PATH. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const path = [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(':')
  // what an installed program keeps must not land among the records of whoever runs the tests
  const env = { ...process.env, PATH: path, XDG_DATA_HOME: DATA_HOME }
  return runProgram(command, args, { cwd, env, timeoutMs: TIMEOUT_MS })
}

/** Like `run`, and fails with what the program said when it does not end with 0. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

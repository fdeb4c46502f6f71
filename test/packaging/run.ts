import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The root of the repository. */
export const ROOT: string = join(import.meta.dirname, '../..')

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where programs under test keep their data. */
export const DATA_HOME: string = join(tmpdir(), `trainjob-packaging-data-${process.pid}`)

/** Runs a program to its end, with this Node and the workspace's tools first on PATH. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const path = [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(':')
    // what an installed program keeps must not land among the records of whoever runs the tests
    const env = { ...process.env, PATH: path, XDG_DATA_HOME: DATA_HOME }
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Like `run`, and fails with what the program said when it does not end with 0. */
export async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

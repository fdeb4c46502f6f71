import { spawn, spawnSync } from 'node:child_process'

type Env = Readonly<Record<string, string | undefined>>

/** Milliseconds that a whole process takes. Throws when it fails. */
export function timeOfProcess(args: readonly string[], env: Env): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env })
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr.toString()}`)
  return ms
}

/** Milliseconds from the start of a process to the first line on its stdout that fits; waits for its end. */
export async function timeToLine(args: readonly string[], env: Env, line: RegExp): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  let ms: number | undefined
  child.stdout.on('data', (chunk) => {
    text += chunk
    if (ms === undefined && line.test(text)) ms = performance.now() - start
  })
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
  if (ms === undefined) throw new Error(`node ${args.join(' ')} ended with ${code} and without ${line}: ${text}`)
  return ms
}

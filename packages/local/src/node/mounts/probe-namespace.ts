import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { namespaceCommand } from './mount-namespace.ts'

/**
 * Whether this system lets us give a container its own mounts: tries it once, for real, with everything that will be
 * needed. Takes some ten milliseconds, so ask only when a pod has volumes.
 *
 * @param scratch folder that does not exist yet
 */
export async function probeNamespace(scratch: string, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const source = join(scratch, 'source')
  try {
    mkdirSync(source, { recursive: true })
    const target = '/.trainjob-probe'
    const path = process.env.PATH ?? ''
    const command = namespaceCommand(['test', '-d', target], [{ source, target }], '/', path, join(scratch, 'probe'))
    const [program, ...args] = command.argv
    const code = await new Promise((resolve) => {
      const child = spawn(program, args, { stdio: 'ignore', env: { PATH: path, ...command.extraEnv }, signal })
      child.once('error', () => resolve(undefined))
      child.once('exit', resolve)
    })
    await command.remove()
    return code === 0
  } catch {
    // no place to try it in: no mounts either
    return false
  }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/**
 * Put in front of a script: tells the test which process runs it, as `NAME.pid` in the shared folder. Kubernetes reads
 * `$$` in a command as `$`.
 */
export function announcePid(dir: string, name: string): string {
  return `echo $$$$ > '${dir}/${name}.tmp' && mv '${dir}/${name}.tmp' '${dir}/${name}.pid'; `
}

/** The process that announced itself, once it has. */
export async function pidOf(dir: string, name: string): Promise<number> {
  return eventually(async () => {
    const text = await readFile(join(dir, `${name}.pid`), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : Number(text)
  })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

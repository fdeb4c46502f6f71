import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `work` while no other process of this machine does so under the same lock file. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file))) await sleep(200)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const owner = Number(await readFile(file, 'utf8').catch(() => ''))
  if (owner > 0 && !isAlive(owner)) await rm(file, { force: true }) // it was killed
  return false
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

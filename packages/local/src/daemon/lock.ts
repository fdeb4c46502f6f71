/** A lock that its holder lets go of, at the latest when its process ends, however it ends. */
export interface Lock {
  release(): void
}

/**
 * Takes the lock of a file, or answers `undefined` when another process (or this one) holds it. A lock on an SQLite file
 * is one of the operating system: unlike a file with a process id in it, it cannot be left behind.
 *
 * @param waitMs how long to wait for a holder that is only looking
 */
export async function acquireLock(file: string, waitMs: number = 0): Promise<Lock | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { timeout: waitMs })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    // SQLITE_BUSY; everything else is no answer to the question
    if ((error as { errcode?: number }).errcode === 5) return undefined
    throw error
  }
  return { release: () => database.close() }
}

/** Whether somebody holds the lock of a file that exists. */
export async function isLocked(file: string): Promise<boolean> {
  const lock = await acquireLock(file)
  lock?.release()
  return lock === undefined
}

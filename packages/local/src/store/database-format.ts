import type { DatabaseSync } from 'node:sqlite'
import { LocalError } from '../error.ts'

/** Brings a file one format further; what it throws undoes it. */
export type Migration = (database: DatabaseSync) => void

/** The file is a store of ours, and no other program's (`PRAGMA application_id`; "tjob"). */
const APPLICATION_ID = 0x746a6f62

/** The step at index n leads from format n to n + 1. Steps that were released never change. */
export const MIGRATIONS: readonly Migration[] = [
  (database) =>
    database.exec(`
      CREATE TABLE objects (
        collection TEXT NOT NULL, key TEXT NOT NULL, object TEXT NOT NULL, PRIMARY KEY (collection, key)
      ) WITHOUT ROWID;
      CREATE TABLE versions (reserved INTEGER NOT NULL);
      INSERT INTO versions (reserved) VALUES (0);
    `),
]

/**
 * Brings a file to the format of this release, all steps in one transaction: a step that fails leaves the file as it
 * was. Throws `LocalError` `start-failed` for a file of a newer release and for one that is no store.
 */
export function upgradeFormat(
  database: DatabaseSync,
  file: string,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const format = pragma(database, 'user_version')
  const owner = pragma(database, 'application_id')
  if ((owner !== 0 && owner !== APPLICATION_ID) || (owner === 0 && hasTables(database))) {
    throw new LocalError('start-failed', `Expected a store in ${file}, found a database of another program.`)
  }
  if (format > migrations.length) {
    throw new LocalError(
      'start-failed',
      `Expected a store of format ${migrations.length} or older in ${file}, found ${format}: use a newer release, or another cluster name to start an empty one.`,
    )
  }
  if (format === migrations.length) return
  database.exec('BEGIN EXCLUSIVE')
  try {
    for (const migrate of migrations.slice(format)) migrate(database)
    database.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`)
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw new LocalError(
      'start-failed',
      `The store in ${file} could not be brought from format ${format} to ${migrations.length} and was left as it is: ${(cause as Error).message}`,
      { cause },
    )
  }
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] as number
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
}

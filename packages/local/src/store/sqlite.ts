import type { KubeObject } from '@trainjob/kube'
import { LocalError } from '../error.ts'
import { createMemoryStore, type MemoryStoreOptions } from './memory.ts'
import type { Store } from './store.ts'

/** Grows when the tables change; a file of a later form is refused. */
const FORMAT = 1
/**
 * Versions are handed out before they are written, and a crash forgets the last ones although a watcher may have seen
 * them. A store that opens again starts behind all of these, so that no version ever stands for two states.
 */
const RESERVED_VERSIONS = 10_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (
    collection TEXT NOT NULL, key TEXT NOT NULL, object TEXT NOT NULL, PRIMARY KEY (collection, key)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS versions (reserved INTEGER NOT NULL);
  PRAGMA user_version = ${FORMAT};
`

/**
 * A store whose objects survive the process. Reads come from memory; all writes of one turn of the event loop are
 * committed together at its end, and `settled` resolves then: what it promised is there after a crash of the process.
 *
 * @example
 * const file = `${folder}/store.db`
 * const store = await openSqliteStore(file)
 * store.create('configmaps', 'default/a', {
 *   apiVersion: 'v1',
 *   kind: 'ConfigMap',
 *   metadata: { namespace: 'default', name: 'a' },
 * })
 * await store.close()
 * const again = await openSqliteStore(file)
 * again.get('configmaps', 'default/a')?.metadata.name // => 'a'
 * await again.close()
 */
export async function openSqliteStore(
  file: string,
  options: Pick<MemoryStoreOptions, 'window' | 'beforeShare'> = {},
): Promise<Store> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file)
  const { user_version: format } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (format > FORMAT) {
    database.close()
    throw new LocalError(
      'start-failed',
      `Expected a store of format ${FORMAT} or older in ${file}, found ${format}: use a newer release.`,
    )
  }
  // a write is in the file when the commit returns; only a crash of the whole machine could undo it
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
  database.exec(SCHEMA)
  const put = database.prepare('INSERT OR REPLACE INTO objects (collection, key, object) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM objects WHERE collection = ? AND key = ?')
  const reserve = database.prepare('UPDATE versions SET reserved = ?')

  const stored = database.prepare('SELECT reserved FROM versions').get() as { reserved: number } | undefined
  if (stored === undefined) database.exec('INSERT INTO versions (reserved) VALUES (0)')
  const memory = createMemoryStore({
    ...options,
    initial: { version: stored?.reserved ?? 0, objects: readAll(database.prepare('SELECT * FROM objects').iterate()) },
  })
  let reserved = stored?.reserved ?? 0

  /** Last state of what was written in this turn; `undefined` for what is gone. */
  let pending = new Map<string, { collection: string; key: string; object: KubeObject | undefined }>()
  let committing: Promise<void> | undefined

  function note<T extends KubeObject | undefined>(collection: string, key: string, object: T): T {
    pending.set(`${collection}/${key}`, { collection, key, object })
    if (committing === undefined) {
      committing = new Promise((resolve, reject) => {
        setImmediate(() => {
          committing = undefined
          try {
            commit()
            resolve()
          } catch (error) {
            reject(error)
          }
        })
      })
      // whoever waits is told; a write that nobody waits for is no reason to crash
      committing.catch(() => {})
    }
    return object
  }

  /** On failure the writes stay pending: the next commit tries them again. */
  function commit(): void {
    const writes = pending
    if (writes.size === 0) return
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const { collection, key, object } of writes.values()) {
        if (object === undefined) remove.run(collection, key)
        else put.run(collection, key, JSON.stringify(object))
      }
      if (memory.version >= reserved) reserve.run(memory.version + RESERVED_VERSIONS)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
    if (memory.version >= reserved) reserved = memory.version + RESERVED_VERSIONS
    pending = new Map()
  }

  return {
    get version() {
      return memory.version
    },
    get: memory.get,
    list: memory.list,
    watch: memory.watch,
    compact: memory.compact,
    create: (collection, key, object) => note(collection, key, memory.create(collection, key, object)),
    update: (collection, key, object, expected) =>
      note(collection, key, memory.update(collection, key, object, expected)),
    delete(collection, key, object, expected) {
      const last = memory.delete(collection, key, object, expected)
      note(collection, key, undefined)
      return last
    },
    settled: () => committing,
    async close() {
      await committing?.catch(() => {})
      try {
        commit()
      } finally {
        await memory.close()
        database.close()
      }
    },
  }
}

function* readAll(rows: Iterable<unknown>): Generator<[string, string, KubeObject]> {
  for (const row of rows as Iterable<{ collection: string; key: string; object: string }>) {
    yield [row.collection, row.key, JSON.parse(row.object) as KubeObject]
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { KubeObject } from '@trainjob/kube'
import { LocalError } from '../error.ts'
import { upgradeFormat } from './database-format.ts'
import { createMemoryStore, type MemoryStoreOptions } from './memory.ts'
import type { Store } from './store.ts'

/**
 * Versions are handed out before they are written, and a crash forgets the last ones although a watcher may have seen
 * them. A store that opens again starts behind all of these, so that no version ever stands for two states.
 */
const RESERVED_VERSIONS = 10_000

/** A file of which more than this is free and more than half is written anew when it is opened. */
const FREE_PAGES = 4096

/**
 * A store whose objects survive the process. Reads come from memory; all writes of one turn of the event loop are
 * committed together at its end, and `settled` resolves then: what it promised is there after a crash of the process.
 * Throws `LocalError` `start-failed` for a file that cannot be read or is of a newer release.
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
  let initial: NonNullable<MemoryStoreOptions['initial']>
  try {
    initial = read(database, file)
  } catch (error) {
    database.close()
    throw error instanceof LocalError ? error : unreadable(file, error)
  }
  const put = database.prepare('INSERT OR REPLACE INTO objects (collection, key, object) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM objects WHERE collection = ? AND key = ?')
  const reserve = database.prepare('UPDATE versions SET reserved = ?')

  const memory = createMemoryStore({ ...options, initial })
  // before the first of them is handed out
  let reserved = initial.version + RESERVED_VERSIONS
  reserve.run(reserved)

  /** Last state of what was written in this turn; `undefined` for what is gone. */
  let pending = new Map<string, { collection: string; key: string; object: KubeObject | undefined }>()
  let committing: Promise<void> | undefined

  function note<T extends KubeObject | undefined>(collection: string, key: string, object: T): T {
    pending.set(`${collection}/${key}`, { collection, key, object })
    commitSoon()
    return object
  }

  function commitSoon(): Promise<void> {
    if (committing !== undefined) return committing
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
    return committing
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
    settled: () => (pending.size === 0 ? undefined : commitSoon()),
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

/** What the file holds, after it was brought to the present format. */
function read(database: DatabaseSync, file: string): NonNullable<MemoryStoreOptions['initial']> {
  // a write is in the file when the commit returns; only a crash of the whole machine could undo it
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
  upgradeFormat(database, file)
  const { free, pages } = database
    .prepare('SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count')
    .get() as { free: number; pages: number }
  if (free > FREE_PAGES && free > pages / 2) database.exec('VACUUM')
  const { reserved } = database.prepare('SELECT reserved FROM versions').get() as { reserved: number }
  const rows = database.prepare('SELECT collection, key, object FROM objects').all() as unknown as readonly {
    collection: string
    key: string
    object: string
  }[]
  return {
    version: reserved,
    objects: rows.map(({ collection, key, object }) => [collection, key, JSON.parse(object) as KubeObject]),
  }
}

function unreadable(file: string, cause: unknown): LocalError {
  return new LocalError(
    'start-failed',
    `The store in ${file} cannot be read: ${(cause as Error).message}. Move the file away to start empty, or use another cluster name.`,
    { cause },
  )
}

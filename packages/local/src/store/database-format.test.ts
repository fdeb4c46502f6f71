import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS, type Migration, upgradeFormat } from './database-format.ts'
import { openSqliteStore } from './sqlite.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tj-'))
  file = join(dir, 'objects.db')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const first: Migration = (database) => database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('a')")
const second: Migration = (database) => database.exec("ALTER TABLE notes ADD COLUMN mark TEXT DEFAULT 'b'")
const broken: Migration = (database) => database.exec('ALTER TABLE notes RENAME TO papers; DROP TABLE nowhere')

function open<T>(use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

const notes = () => open((database) => database.prepare('SELECT * FROM notes').all())

describe('the format of a store', () => {
  it('is brought from any older one to the present one, step by step and once', () => {
    open((database) => upgradeFormat(database, file, [first]))
    expect(notes()).toEqual([{ text: 'a' }])
    for (let again = 0; again < 2; again++) {
      open((database) => upgradeFormat(database, file, [first, second]))
      expect(notes()).toEqual([{ text: 'a', mark: 'b' }])
    }
  })

  it('stays what it was when a step fails, so that the older release can go on', () => {
    open((database) => upgradeFormat(database, file, [first]))
    expect(() => open((database) => upgradeFormat(database, file, [first, second, broken]))).toThrow(
      /objects.db could not be brought from format 1 to 3 and was left as it is: no such table: nowhere/,
    )
    expect(notes()).toEqual([{ text: 'a' }])
    open((database) => upgradeFormat(database, file, [first, second]))
    expect(notes()).toEqual([{ text: 'a', mark: 'b' }])
  })

  it('of a newer release is refused, and what to do is said', async () => {
    open((database) => upgradeFormat(database, file, [...MIGRATIONS, () => {}]))
    await expect(openSqliteStore(file)).rejects.toThrow(
      /format 1 or older in .*objects.db, found 2: use a newer release, or another cluster name/,
    )
  })

  it.each([
    ['tables', 'CREATE TABLE songs (title TEXT)'],
    ['a mark', 'PRAGMA application_id = 7'],
  ])('is not forced upon a database of another program that has %s', async (_, sql) => {
    open((database) => database.exec(sql))
    await expect(openSqliteStore(file)).rejects.toThrow(/found a database of another program/)
    expect(open((database) => database.prepare('PRAGMA user_version').get())).toEqual({ user_version: 0 })
  })
})

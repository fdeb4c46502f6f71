import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { KubeObject } from '@trainjob/kube'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deepFreeze } from '../object/deep-freeze.ts'
import { openSqliteStore } from './sqlite.ts'
import { describeStore } from './store.suite.ts'

let dir: string
let files = 0
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tj-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describeStore('SQLite store', () => openSqliteStore(join(dir, `${++files}.db`), { beforeShare: deepFreeze }), 20)

function object(name: string, text: string = ''): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: { text } } }
}

describe('a store that is opened again', () => {
  it('has what it had, and versions that nobody has seen', async () => {
    const file = join(dir, 'a.db')
    const first = await openSqliteStore(file)
    const a = first.create('configmaps', 'd/a', object('a'))
    const b = first.create('configmaps', 'd/b', object('b'))
    first.update('configmaps', 'd/a', object('a', 'later'), a.metadata.resourceVersion ?? '')
    first.delete('configmaps', 'd/b', b, b.metadata.resourceVersion ?? '')
    const before = first.version
    await first.close()
    const second = await openSqliteStore(file)
    expect(second.list('configmaps').items).toMatchObject([{ metadata: { name: 'a', annotations: { text: 'later' } } }])
    expect(second.get('configmaps', 'd/b')).toBeUndefined()
    expect(second.version).toBeGreaterThan(before)
    expect(() => second.watch('configmaps', before, () => {})).toThrow(/too old resource version/)
    const next = second.create('configmaps', 'd/b', object('b'))
    expect(Number(next.metadata.resourceVersion)).toBe(second.version)
    await second.close()
  })

  it('says what to do about a file that cannot be read', async () => {
    const file = join(dir, 'broken.db')
    await writeFile(file, 'this is no database, whatever its name says. '.repeat(40))
    await expect(openSqliteStore(file)).rejects.toThrow(
      /broken.db cannot be read: file is not a database. Move the file away/,
    )
  })

  it('tells of a write that could not be committed, until it is', async () => {
    const file = join(dir, 'held.db')
    const store = await openSqliteStore(file)
    const other = new DatabaseSync(file)
    other.exec('BEGIN EXCLUSIVE')
    store.create('configmaps', 'd/a', object('a'))
    await expect(store.settled()).rejects.toThrow(/locked/)
    await expect(store.settled()).rejects.toThrow(/locked/)
    other.exec('ROLLBACK')
    await store.settled()
    expect(store.settled()).toBeUndefined()
    expect(other.prepare('SELECT key FROM objects').all()).toEqual([{ key: 'd/a' }])
    other.close()
    await store.close()
  })
})

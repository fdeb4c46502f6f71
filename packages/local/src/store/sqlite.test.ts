import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
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

  it('holds every write that was settled when the process was killed', async () => {
    const file = join(dir, 'killed.db')
    const module = fileURLToPath(new URL('./sqlite.ts', import.meta.url))
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(module)})
      const store = await openSqliteStore(process.argv[1])
      for (let count = 0; ; count++) {
        store.create('configmaps', 'd/' + count, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: String(count) } })
        await store.settled()
        process.stdout.write(count + '\\n')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.length > 400) child.kill('SIGKILL')
    })
    await ended
    const acknowledged = printed.split('\n').slice(0, -1).length
    const store = await openSqliteStore(file)
    const found = store.list('configmaps').items.length
    expect(acknowledged).toBeGreaterThan(50)
    expect(found).toBeGreaterThanOrEqual(acknowledged)
    await store.close()
  })

  it('refuses a file that a later release wrote', async () => {
    const file = join(dir, 'later.db')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(openSqliteStore(file)).rejects.toThrow(/format 1 or older in .*later.db, found 99/)
  })
})

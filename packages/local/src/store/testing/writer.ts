import { writeSync } from 'node:fs'
import type { KubeObject } from '@trainjob/kube'
import { openSqliteStore } from '../sqlite.ts'
import { operations, randomFrom } from './operations.ts'

// A process for tests that kill it: writes to a store for ever and says `i COUNT VERSION` before and `a COUNT VERSION`
// after the store says that the first COUNT writes are safe.
const [file = '', seed = ''] = process.argv.slice(2)
const store = await openSqliteStore(file)
const present = { has: (name: string) => store.get('configmaps', `d/${name}`) !== undefined }
const stream = operations(Number(seed), present)
const random = randomFrom(Number(seed) ^ 0x5eed)
let issued = 0
for (;;) {
  // several writes share a commit, as those of several clients do
  for (let left = 1 + (random() % 5); left > 0; left--) {
    const { value } = stream.next()
    if (value === undefined) break
    // said before it is done: a kill may come in between
    say('i', ++issued)
    write(value.type, value.key, value.text)
  }
  await store.settled()
  say('a', issued)
}

function write(type: string, name: string, text: string): void {
  const key = `d/${name}`
  const current = store.get('configmaps', key)
  const version = current?.metadata.resourceVersion ?? ''
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: { text } } }
  if (type === 'create') store.create('configmaps', key, object)
  else if (type === 'update') store.update('configmaps', key, object, version)
  else store.delete('configmaps', key, object, version)
}

function say(what: string, count: number): void {
  writeSync(1, `${what} ${count} ${store.version}\n`)
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs a script in a Node of its own and answers which of the heavy packages it loaded. */
async function loaded(script: string): Promise<string[]> {
  const entry = new URL('./index.ts', import.meta.url).href
  const program = `
    import { registerHooks } from 'node:module'
    const seen = new Set()
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/(undici|yaml|@kubernetes\\/client-node)\\//.exec(url)?.[1]
        if (name !== undefined) seen.add(name)
        return next(url, context)
      },
    })
    const kube = await import(${JSON.stringify(entry)})
    ${script}
    console.log(JSON.stringify([...seen]))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
  return JSON.parse(stdout)
}

test('importing the package and calling in process loads nothing heavy', async () => {
  const script = `
    const body = { kind: 'List', metadata: { resourceVersion: '1' }, items: [] }
    const answer = { status: 200, headers: {}, json: async () => body }
    const client = kube.createClient({ request: async () => answer, close: async () => {} })
    await client.list({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true })
    kube.httpTransport({ server: 'http://127.0.0.1:1' })
  `
  expect(await loaded(script)).toEqual([])
})

test('a request over a unix socket loads nothing heavy', async () => {
  const entry = new URL('./transport/socket-transport.ts', import.meta.url).href
  const script = `
    const { socketTransport } = await import(${JSON.stringify(entry)})
    await socketTransport({ socket: '/nowhere' }).request({ method: 'GET', path: '/' }).catch(() => {})
  `
  expect(await loaded(script)).toEqual([])
})

test('a request loads undici, a YAML kubeconfig yaml, a JSON one neither', async () => {
  const request = `await kube.httpTransport({ server: 'http://127.0.0.1:1' }).request({ method: 'GET', path: '/' }).catch(() => {})`
  const read = (text: string) => `
    import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    const dir = mkdtempSync(tmpdir() + '/loading-')
    writeFileSync(dir + '/config', ${JSON.stringify(text)})
    await kube.loadKubeconfig({ path: dir + '/config' }).finally(() => rmSync(dir, { recursive: true }))
  `
  expect(await loaded(request)).toEqual(['undici'])
  expect(await loaded(read('{"clusters": []}'))).toEqual([])
  expect(await loaded(read('clusters: []'))).toEqual(['yaml'])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Namespaces } from '@trainjob/api'
import { createClient, httpTransport } from '@trainjob/kube'
import { socketTransport } from '@trainjob/kube/socket'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { down } from './down.ts'
import { acquireLock, isLocked } from './lock.ts'
import { status } from './status.ts'
import { up } from './up.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tj-'))
})
afterEach(async () => {
  await down({ dataDir, graceMs: 3_000 })
  await rm(dataDir, { recursive: true, force: true })
})

describe('a background cluster', { timeout: 60_000 }, () => {
  it('is started once, found, and stopped without leaving anything that runs', async () => {
    const server = await up({ dataDir })
    expect(server).toMatchObject({ state: 'running', started: true, name: 'default', context: 'trainjob-local' })
    expect(await up({ dataDir })).toMatchObject({ started: false, pid: server.pid, url: server.url })
    expect(await status({ dataDir })).toMatchObject({ state: 'running', pid: server.pid })

    const config = await readFile(server.kubeconfig, 'utf8')
    expect((await stat(server.kubeconfig)).mode & 0o777).toBe(0o600)
    const { clusters, users } = JSON.parse(config)
    const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString()
    const token: string = users[0].user.token
    const client = createClient(httpTransport({ server: server.url, ca, token }))
    try {
      const names = (await client.list(Namespaces)).items.map((item) => item.metadata.name)
      expect(names).toContain('default')
      // whoever may look at processes must not find the token there
      const { stdout } = await capture('ps', ['-eo', 'args'])
      expect(stdout).not.toContain(token)
    } finally {
      await client.close()
    }

    expect(await down({ dataDir })).toBe(true)
    expect(() => process.kill(server.pid, 0)).toThrow()
    expect(await status({ dataDir })).toMatchObject({ state: 'stopped' })
    expect(await down({ dataDir })).toBe(false)
  })

  it('is told apart from one that was killed, and comes back with the same address and token', async () => {
    const first = await up({ dataDir, name: 'other' })
    const config = await readFile(first.kubeconfig, 'utf8')
    process.kill(first.pid, 'SIGKILL')
    while (await isLocked(join(dataDir, 'clusters', 'other', 'lock.db')))
      await new Promise((done) => setTimeout(done, 10))
    expect(await status({ dataDir, name: 'other' })).toMatchObject({ state: 'stopped' })
    const second = await up({ dataDir, name: 'other' })
    if (process.platform !== 'win32') {
      // the socket that the first one left behind is replaced
      const { users } = JSON.parse(config)
      const socket = join(dataDir, 'clusters', 'other', 'api.sock')
      const client = createClient(socketTransport({ socket, token: users[0].user.token }))
      expect((await client.list(Namespaces)).items).not.toEqual([])
      await client.close()
    }
    expect(second.pid).not.toBe(first.pid)
    expect(await readFile(second.kubeconfig, 'utf8')).toBe(config)
    expect(await down({ dataDir, name: 'other' })).toBe(true)
  })

  it('forgets everything when it is purged, and its neighbours nothing', async () => {
    const [mine, other] = await Promise.all([up({ dataDir }), up({ dataDir, name: 'other' })])
    try {
      expect(await down({ dataDir, purge: true })).toBe(true)
      await expect(stat(mine.kubeconfig)).rejects.toThrow(/ENOENT/)
      expect(await status({ dataDir, name: 'other' })).toMatchObject({ state: 'running', pid: other.pid })
      expect(await down({ dataDir, purge: true })).toBe(false)
    } finally {
      await down({ dataDir, name: 'other', purge: true })
    }
    expect(await readdir(join(dataDir, 'clusters'))).toEqual([])
  })

  it('says why it did not start', async () => {
    await expect(
      up({ dataDir, command: [process.execPath, '-e', 'console.log("no good"); process.exit(3)', '--'] }),
    ).rejects.toThrow(/ended \(3\) before it was ready. It said: no good/)
    await expect(up({ dataDir, name: 'Not a name' })).rejects.toThrow(/Expected a cluster name/)
  })
})

describe('a lock', () => {
  it('is held by one at a time, and not by a process that was killed', async () => {
    const file = join(dataDir, 'lock.db')
    const lock = await acquireLock(file)
    expect(lock).toBeDefined()
    expect(await acquireLock(file)).toBeUndefined()
    lock?.release()
    expect(await isLocked(file)).toBe(false)
    const holder = spawn(
      process.execPath,
      [
        '-e',
        `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]); db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1e9)`,
        file,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    try {
      await once(holder.stdout, 'data')
      expect(await isLocked(file)).toBe(true)
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    }
    expect(await isLocked(file)).toBe(false)
  })
})

async function capture(program: string, args: readonly string[]): Promise<{ stdout: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  await once(child, 'close')
  return { stdout }
}

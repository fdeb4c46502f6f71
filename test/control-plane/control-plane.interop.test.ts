import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from './build.ts'
import { startControlPlane } from './start.ts'

const run = promisify(execFile)
const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: a real control plane. ${built.missing}\n`)

describe.skipIf('missing' in built)('a real control plane', () => {
  const parts = built as BuiltControlPlane
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trainjob-test-'))
    vi.stubEnv('TMPDIR', folder)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  it('serves kubectl, and leaves nothing behind', async () => {
    const plane = await startControlPlane(parts)
    try {
      const kubectl = async (...args: string[]) => {
        const env = { ...process.env, KUBECONFIG: plane.kubeconfig, HOME: folder }
        return (await run(path.join(parts.bin, 'kubectl'), args, { env })).stdout
      }
      const version = JSON.parse(await kubectl('version', '-o', 'json'))
      expect(version.serverVersion.gitVersion).toBe(version.clientVersion.gitVersion)
      expect(await kubectl('get', 'jobsets', '-A', '-o', 'name')).toBe('')
      expect(await kubectl('auth', 'can-i', '*', '*')).toBe('yes\n')
      expect(await programsOf(folder)).toHaveLength(process.platform === 'linux' ? 5 : 0)
    } finally {
      await plane.stop()
    }
    await rm(path.join(folder, '.kube'), { recursive: true, force: true })
    expect(await readdir(folder)).toEqual([])
    expect(await programsOf(folder)).toEqual([])
  })

  it('that cannot start says which part ended and what it said, and leaves nothing behind', async () => {
    const bin = path.join(folder, 'bin')
    await run('mkdir', [bin])
    for (const part of await readdir(parts.bin)) await symlink(path.join(parts.bin, part), path.join(bin, part))
    await rm(path.join(bin, 'jobset'))
    await writeFile(path.join(bin, 'jobset'), '#!/bin/sh\necho no luck today\nexit 3\n', { mode: 0o755 })
    await expect(startControlPlane({ ...parts, bin })).rejects.toThrow(/jobset ended \(exit code 3\).*no luck today/s)
    expect(await readdir(folder)).toEqual(['bin'])
    expect(await programsOf(folder)).toEqual([])
  })
})

/** Names of running programs whose command line mentions the folder; Linux tells. */
async function programsOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return command.includes(folder) && Number(pid) !== process.pid ? command.split('\0')[0] : undefined
    }),
  )
  return found.filter((name) => name !== undefined)
}

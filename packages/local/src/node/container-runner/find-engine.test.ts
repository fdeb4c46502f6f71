import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findEngine } from './find-engine.ts'

let bin: string
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'tj-engine-'))
})
afterEach(() => rmSync(bin, { recursive: true }))

it('says that the engine is not installed', async () => {
  await expect(findEngine('podman', { PATH: bin })).rejects.toMatchObject({
    code: 'start-failed',
    message: expect.stringContaining('podman is not on PATH'),
  })
})

it('says why the engine does not work', async () => {
  const script = '#!/bin/sh\necho Cannot connect to the daemon >&2\nexit 1\n'
  writeFileSync(join(bin, 'docker'), script, { mode: 0o755 })
  await expect(findEngine('docker', { PATH: bin })).rejects.toMatchObject({
    message: expect.stringContaining('docker does not work here: Cannot connect to the daemon'),
  })
})

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type VolumeFile, writeAtomicFiles } from './atomic-files.ts'

let dir: string
let folder: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tj-atomic-'))
  folder = join(dir, 'v')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function files(texts: Readonly<Record<string, string>>, mode = 0o644): Map<string, VolumeFile> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, { content: Buffer.from(text), mode }]))
}

/** What somebody sees who knows nothing of the links. */
function seen(path: string = folder, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(path)) {
    if (prefix === '' && name.startsWith('..')) continue
    const at = join(path, name)
    if (statSync(at).isDirectory()) Object.assign(found, seen(at, `${prefix}${name}/`))
    else found[`${prefix}${name}`] = readFileSync(at, 'utf8')
  }
  return found
}

describe('writeAtomicFiles', () => {
  it('shows exactly what was written last, whatever was there before', () => {
    const path = fc.constantFrom('a', 'b', 'c.txt', 'deep/a', 'deep/er/a', 'deep/b', 'x/y', '.hidden')
    const state = fc.dictionary(path, fc.string({ maxLength: 5 }))
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), (states) => {
        const own = mkdtempSync(join(dir, 'p'))
        for (const texts of states) {
          writeAtomicFiles(own, files(texts))
          expect(seen(own)).toEqual({ ...texts })
          expect(readdirSync(own).filter((name) => name.startsWith('..v'))).toHaveLength(1)
        }
      }),
    )
  })

  it('leaves everything as it is when nothing has changed', () => {
    writeAtomicFiles(folder, files({ a: '1', 'b/c': '2' }))
    const version = readlinkSync(join(folder, '..data'))
    writeAtomicFiles(folder, files({ 'b/c': '2', a: '1' }))
    expect(readlinkSync(join(folder, '..data'))).toBe(version)
    writeAtomicFiles(folder, files({ a: '1', 'b/c': '2' }, 0o600))
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600)
  })

  it('never shows a part of one state and a part of another', () => {
    writeAtomicFiles(folder, files({ a: '1', b: '1' }))
    // who has opened the folder goes on reading what it was
    const version = join(folder, readlinkSync(join(folder, '..data')))
    const before = readdirSync(version)
    writeAtomicFiles(folder, files({ a: '2', b: '2', c: '2' }))
    expect(before).toEqual(['a', 'b'])
    expect(readlinkSync(join(folder, 'a'))).toBe('..data/a')
    expect(seen()).toEqual({ a: '2', b: '2', c: '2' })
  })

  it.each([
    ['a folder', 'a', () => mkdirSync(join(folder, 'a/b'), { recursive: true })],
    ['a file', '..data', () => writeFileSync(join(folder, '..data'), '')],
    ['a link out of the volume', '..data', () => symlinkSync(join(dir, 'outside'), join(folder, '..data'))],
    ['a link upwards', '..data', () => symlinkSync('..v/../../outside', join(folder, '..data'))],
  ])('survives a container that puts %s in the place of %s', (_, name, tamper) => {
    mkdirSync(join(dir, 'outside'))
    writeFileSync(join(dir, 'outside/a'), 'mine')
    writeAtomicFiles(folder, files({ a: '1' }))
    unlinkSync(join(folder, name))
    tamper()
    writeAtomicFiles(folder, files({ a: '2' }))
    expect(seen()).toEqual({ a: '2' })
    expect(readFileSync(join(dir, 'outside/a'), 'utf8')).toBe('mine')
    expect(existsSync(join(dir, 'outside/..data'))).toBe(false)
  })
})

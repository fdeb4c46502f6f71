import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCanonical } from '@trainjob/api/dialect'
import { fixManifest } from '@trainjob/api/lint'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'

const document = readFileSync(join(import.meta.dirname, '../../docs/dialect.md'), 'utf8')
const PAIR = /<th>([\w-]+\.yaml), as it is written<\/th>.*?```yaml\n(.*?)\n```.*?```yaml\n(.*?)\n```/gs
const pairs = [...document.matchAll(PAIR)].map(([, file = '', written = '', canonical = '']) => ({
  file,
  written,
  canonical,
}))

describe('docs/dialect.md', () => {
  it('shows every example', () => {
    expect(pairs.map(({ file }) => file).toSorted()).toEqual([
      'flux-lammps-runtime.yaml',
      'kueue-trainjob.yaml',
      'multi-node-pytorch.yaml',
      'trainingruntime-pytorch-mnist.yaml',
      'trainjob-pytorch-mnist.yaml',
      'trainjob-runtime-patches.yaml',
    ])
  })

  it.each(pairs)('$file: as it is written, and what comes out', ({ file, written, canonical }) => {
    expect(written).toBe(readFileSync(join(import.meta.dirname, 'examples', file), 'utf8').trimEnd())
    const [before, after] = [written, canonical].map((text) => parseAllDocuments(text).map((one) => one.toJS()))
    expect(after).toEqual(before?.map((object) => toCanonical(object).object))
    expect(fixManifest(`${written}\n`).text.trimEnd()).toBe(canonical)
  })
})

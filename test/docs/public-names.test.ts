import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPublicNames } from './public-names.ts'

describe('what a module exports', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trainjob-names-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function namesOf(sources: Readonly<Record<string, string>>): Promise<string[]> {
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text)
    const names = createPublicNames().of(join(folder, 'index.ts'))
    return [...names.values()].map(({ name, kind, doc }) => `${kind} ${name} ${doc}`.trim())
  }

  it('is what it declares and hands on', async () => {
    const names = await namesOf({
      'index.ts': `export * from './a.ts'\nexport type { T } from './b.ts'\nexport { f as g } from './b.ts'`,
      'a.ts': `/** A class. */\nexport class A {}\nexport const b = 1, c = 2\nconst hidden = 3`,
      'b.ts': `export interface T {}\n/** A function. */\n// biome-ignore lint: so\nexport function f() {}`,
    })
    expect(names).toEqual(['class A /** A class. */', 'value b', 'value c', 'type T', 'function g /** A function. */'])
  })

  it('is a value where a constant and a type share a name', async () => {
    const names = await namesOf({ 'index.ts': `/** Codes. */\nexport const E = {}\nexport type E = 1` })
    expect(names).toEqual(['value E /** Codes. */'])
  })

  it('is told when an export leads nowhere', async () => {
    await expect(namesOf({ 'index.ts': `export { x } from './a.ts'`, 'a.ts': '' })).rejects.toThrow(
      'nothing declares it',
    )
  })
})

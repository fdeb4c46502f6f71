import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { precompiled } from './precompile.ts'

it('has the templates as they are; run compile-templates.ts when they have changed', async () => {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.hbs')).sort()
  const sources: Record<string, string> = {}
  for (const file of files) {
    sources[path.basename(file, '.hbs')] = await readFile(path.join(import.meta.dirname, file), 'utf8')
  }
  expect(await readFile(path.join(import.meta.dirname, 'compiled.generated.ts'), 'utf8')).toBe(precompiled(sources))
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Example } from './example.ts'
import { exampleModule, type Origin } from './example-module.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { createPublicNames } from './public-names.ts'
import { sourceExamples } from './source-examples.ts'
import { typeCheck } from './type-check.ts'
import { files, type Package, read, readPackages, root } from './workspace.ts'

/*
 * Every example of the documentation is a program that is checked by the compiler and run. How results are written in
 * examples stands at `exampleModule`; what they may use without making it, in `scope.ts`.
 */

const SCOPE: ReadonlySet<string> = new Set(['client', 'cluster', 'trainer', 'trainJob', 'folder', 'kubeconfig'])

const packages = readPackages()
const names = createPublicNames()
const examples = [...inSources(), ...inDocuments()]
const modules = examples.map((example, index) => {
  const file = `${String(index).padStart(3, '0')}-${example.title.replaceAll(/\W+/g, '-')}.ts`
  const text = exampleModule(example.code, (name) => originOf(name, example))
  return { ...example, module: file, text }
})
let folder = ''

beforeAll(async () => {
  // next to this file, because modules there find the packages
  folder = mkdtempSync(join(import.meta.dirname, '.examples-'))
  for (const { module, text } of modules) writeFileSync(join(folder, module), text)
  // no example reaches the cluster of whoever runs the tests
  vi.stubEnv('KUBECONFIG', (await import('./scope.ts')).kubeconfig)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
  await (await import('./scope.ts')).close()
})

describe('examples', () => {
  it('are correct TypeScript', async () => {
    const messages = (await typeCheck(folder, root)).replaceAll(
      /^(?:.*\/)?(\d{3}-[\w-]*\.ts)\((\d+),/gm,
      (_, file: string, line: string) => {
        const example = modules.find(({ module }) => module === file)
        return `${example?.file}(${(example?.line ?? 0) + Number(line) - 2},`
      },
    )
    expect(messages).toBe('')
  })

  it.each(modules.map((module) => ({ ...module, at: `${module.file}:${module.line}` })))(
    '$title at $at',
    async ({ module }) => {
      await import(/* @vite-ignore */ join(folder, module))
    },
  )
})

function inSources(): Example[] {
  return files('packages/*/src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => sourceExamples(file, read(file)))
}

function inDocuments(): Example[] {
  return files('README.md', 'packages/*/README.md', 'docs/**/*.md').flatMap((file) =>
    fencedBlocks(read(file))
      .filter(({ language }) => language === 'ts')
      .map(({ heading, line, text }) => ({ title: heading, file, line, code: text, ownNames: false })),
  )
}

function originOf(name: string, example: Example): Origin | undefined {
  if (example.ownNames) {
    const own = names.of(join(root, example.file)).get(name)
    if (own !== undefined) return { module: `../../../${example.file}`, isType: own.kind === 'type' }
    for (const [module, exported] of packageOf(example.file)?.modules ?? []) {
      const found = exported.get(name)
      if (found !== undefined) return { module, isType: found.kind === 'type' }
    }
  }
  if (SCOPE.has(name)) return { module: '../scope.ts', isType: false }
  return name === 'console' ? { module: '../checks.ts', isType: false } : undefined
}

function packageOf(file: string): Package | undefined {
  return packages.find((one) => file.startsWith(`${one.folder}/`))
}

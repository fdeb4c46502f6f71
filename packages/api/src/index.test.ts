import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Every package that is loaded when a module is, types aside. */
function packagesOf(module: URL, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>()
  if (seen.has(module.href)) return packages
  seen.add(module.href)
  const source = readFileSync(module, 'utf8')
  for (const [, specifier = ''] of source.matchAll(/^(?:import|export)(?! type)[^'"]*?from '([^']+)'/gms)) {
    if (!specifier.startsWith('.')) packages.add(specifier)
    else for (const name of packagesOf(new URL(specifier, module), seen)) packages.add(name)
  }
  return packages
}

describe('the package', () => {
  it('loads neither zod nor yaml for types, constants and quantities', () => {
    expect([...packagesOf(new URL('./index.ts', import.meta.url))]).toEqual([])
  })

  it('loads zod only to validate, and yaml only to parse', () => {
    expect([...packagesOf(new URL('./validate/index.ts', import.meta.url))]).toEqual(['zod'])
    expect([...packagesOf(new URL('./parse/index.ts', import.meta.url))].toSorted()).toEqual(['yaml', 'zod'])
  })
})

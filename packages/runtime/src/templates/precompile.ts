import Handlebars from 'handlebars'

/**
 * The content of `compiled.generated.ts` for these templates, by name. `node packages/runtime/compile-templates.ts`
 * writes it; a test compares.
 */
export function precompiled(sources: Readonly<Record<string, string>>): string {
  const parts = Object.entries(sources).map(([name, source]) => {
    const code = Handlebars.precompile(source, { noEscape: true, strict: true, knownHelpersOnly: true })
    return `export const ${constantOf(name)}: CompiledTemplate = ${String(code)}\n`
  })
  return [
    '// @ts-nocheck Made from the templates beside it: change them, then run compile-templates.ts.\n',
    "import type { CompiledTemplate } from './template.ts'\n",
    ...parts,
  ].join('\n')
}

/** `flux-init` becomes `FLUX_INIT`. */
function constantOf(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}

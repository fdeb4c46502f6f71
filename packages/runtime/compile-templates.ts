/** Compiles the Handlebars templates below src/templates, so that rendering needs no compiler. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { precompiled } from './src/templates/precompile.ts'

const folder = path.join(import.meta.dirname, 'src/templates')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.hbs'))
  .map((file) => file.slice(0, -'.hbs'.length))
  .toSorted()
const sources = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, `${name}.hbs`), 'utf8')]))
writeFileSync(path.join(folder, 'compiled.generated.ts'), precompiled(sources))

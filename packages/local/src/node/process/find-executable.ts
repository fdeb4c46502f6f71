import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** What is where a program was looked for. */
export type Executable =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'not-executable'; readonly path: string }
  | { readonly kind: 'missing' }

/** Looks a program up as `execvp` would: names without a slash on `searchPath`, others from `cwd`. */
export function findExecutable(program: string, cwd: string, searchPath: string): Executable {
  if (program.includes('/')) return look(isAbsolute(program) ? program : resolve(cwd, program))
  let refused: Executable = { kind: 'missing' }
  for (const folder of searchPath.split(delimiter)) {
    const found = look(resolve(cwd, join(folder === '' ? '.' : folder, program)))
    if (found.kind === 'found') return found
    if (found.kind === 'not-executable') refused = found
  }
  return refused
}

function look(path: string): Executable {
  try {
    if (!statSync(path).isFile()) return { kind: 'not-executable', path }
  } catch {
    return { kind: 'missing' }
  }
  try {
    accessSync(path, constants.X_OK)
    return { kind: 'found', path }
  } catch {
    return { kind: 'not-executable', path }
  }
}

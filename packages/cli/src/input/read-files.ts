import { join, relative, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { CommandIO } from '../command-io.ts'

// synchronous and not imported: loading node:fs/promises, also by importing node:fs, takes longer than a manifest
const { readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs')

/** The flags of every command that reads manifests. */
export interface FileFlags {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
}

/** A text and where it comes from, as the user would call it. */
export interface InputText {
  readonly file: string
  readonly text: string
}

/**
 * Reads every file that `-f` names: files, the `.yaml`, `.yml` and `.json` of folders, and `-` for stdin. Rejects with
 * one `CliError` that names everything that cannot be read.
 */
export async function readFiles(
  { filename = [], recursive = false }: FileFlags,
  io: CommandIO,
): Promise<readonly InputText[]> {
  if (filename.length === 0) throw new CliError('usage', 'expected at least one file: -f FILE')
  const faults: string[] = []
  const texts: InputText[] = []
  for (const name of new Set(filename)) {
    try {
      if (name === '-') texts.push({ file: 'stdin', text: await readAll(io.stdin()) })
      else texts.push(...readPath(name, recursive, io.cwd))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      faults.push(fault(name, error))
    }
  }
  if (faults.length > 0) throw new CliError('input', faults.join('\n'))
  return texts
}

function readPath(name: string, recursive: boolean, cwd: string): InputText[] {
  if (/^https?:\/\//.test(name)) throw new Error('a URL; load it first, as in: curl -sL URL | … -f -')
  const path = resolve(cwd, name)
  if (!statSync(path).isDirectory()) return [{ file: name, text: readFileSync(path, 'utf8') }]
  const entries = readdirSync(path, { withFileTypes: true, recursive })
  const files = entries
    .filter((entry) => !entry.isDirectory() && /\.(ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  if (files.length === 0) throw new Error('a folder without .yaml, .yml or .json files')
  return files.map((file) => ({ file: join(name, relative(path, file)), text: readFileSync(file, 'utf8') }))
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString('utf8')
}

function fault(name: string, error: Error): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return `${name}: there is no such file`
  if (code === 'EACCES') return `${name}: may not be read (permission denied)`
  return `${name}: ${error.message}`
}

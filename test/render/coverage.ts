import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { MEASURED_PACKAGES } from '../oracle/build.ts'

/** Statements of upstream that some cases ran. */
export interface Coverage {
  /** Package, file or function, below the module's root. */
  readonly name: string
  readonly statements: number
  readonly ran: number
}

export interface Measurement {
  readonly packages: readonly Coverage[]
  readonly files: readonly Coverage[]
  /** `file:line` of what nothing ran. */
  readonly missed: readonly string[]
}

/** Reads what oracles with coverage wrote into a folder. */
export async function readCoverage(folder: string): Promise<Measurement> {
  const profile = path.join(folder, 'profile.txt')
  await promisify(execFile)('go', ['tool', 'covdata', 'textfmt', `-i=${folder}`, `-o=${profile}`])
  const blocks = new Map<string, { file: string; line: number; statements: number; ran: boolean }>()
  for (const row of (await readFile(profile, 'utf8')).split('\n').slice(1)) {
    const match = /^.*?\/(pkg\/.*?):(\d+)\.(\S+) (\d+) (\d+)$/.exec(row)
    if (!match) continue
    const [, file = '', line = '', rest = '', statements = '', count] = match
    const id = `${file}:${line}.${rest}`
    const ran = count !== '0' || blocks.get(id)?.ran === true
    blocks.set(id, { file, line: Number(line), statements: Number(statements), ran })
  }
  const files = new Map<string, Coverage>()
  for (const { file, statements, ran } of blocks.values()) {
    const before = files.get(file) ?? { name: file, statements: 0, ran: 0 }
    files.set(file, {
      name: file,
      statements: before.statements + statements,
      ran: before.ran + (ran ? statements : 0),
    })
  }
  const all = [...files.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    packages: MEASURED_PACKAGES.map((name) => sum(name, all)),
    files: all,
    missed: [...blocks.values()]
      .filter(({ ran, statements }) => !ran && statements > 0)
      .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
      .map(({ file, line }) => `${file}:${line}`),
  }
}

function sum(name: string, files: readonly Coverage[]): Coverage {
  const own = files.filter((file) => file.name.startsWith(`${name}/`))
  return {
    name,
    statements: own.reduce((total, { statements }) => total + statements, 0),
    ran: own.reduce((total, { ran }) => total + ran, 0),
  }
}

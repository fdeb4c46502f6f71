import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { MEASURED_PACKAGES } from '../oracle/build.ts'

/** Statements of upstream that some cases ran. */
export interface Coverage {
  /** File or package, below the module's root. */
  readonly name: string
  readonly statements: number
  readonly ran: number
}

/** Reads what an oracle with coverage wrote into a folder: a row for each measured package, then one for each file. */
export async function readCoverage(folder: string): Promise<readonly Coverage[]> {
  const profile = path.join(folder, 'profile.txt')
  await promisify(execFile)('go', ['tool', 'covdata', 'textfmt', `-i=${folder}`, `-o=${profile}`])
  const blocks = new Map<string, { file: string; statements: number; ran: boolean }>()
  for (const line of (await readFile(profile, 'utf8')).split('\n').slice(1)) {
    const match = /^(.*?):(\S+) (\d+) (\d+)$/.exec(line)
    if (!match) continue
    const [, file = '', position = '', statements, count] = match
    const ran = count !== '0' || blocks.get(`${file}:${position}`)?.ran === true
    blocks.set(`${file}:${position}`, { file, statements: Number(statements), ran })
  }
  const files = new Map<string, Coverage>()
  for (const { file, statements, ran } of blocks.values()) {
    const name = file.replace(/^.*?\/pkg\//, 'pkg/')
    const before = files.get(name) ?? { name, statements: 0, ran: 0 }
    files.set(name, { name, statements: before.statements + statements, ran: before.ran + (ran ? statements : 0) })
  }
  const all = [...files.values()]
    .filter(({ name }) => name.startsWith('pkg/'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...MEASURED_PACKAGES.map((name) => sum(name, all)), ...all]
}

function sum(name: string, files: readonly Coverage[]): Coverage {
  const own = files.filter((file) => file.name.startsWith(`${name}/`))
  return {
    name,
    statements: own.reduce((total, { statements }) => total + statements, 0),
    ran: own.reduce((total, { ran }) => total + ran, 0),
  }
}

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * A Python environment with one package, in a cache outside the checkout; made on first use. `undefined` when there is
 * no Python or no package index here, after saying so.
 */
export function pythonWith(requirement: string): string | undefined {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const dir = join(base, 'trainjob', 'bench', requirement.replace('==', '-'))
  const python = join(dir, 'bin', 'python')
  if (existsSync(join(dir, 'complete'))) return python
  if (spawnSync('python3', ['--version']).status !== 0) return missing(requirement, 'there is no python3 on PATH')
  try {
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir, { recursive: true })
    execFileSync('python3', ['-m', 'venv', dir], { stdio: 'pipe' })
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', requirement], { stdio: 'pipe' })
    writeFileSync(join(dir, 'complete'), '')
    return python
  } catch (error) {
    rmSync(dir, { recursive: true, force: true })
    return missing(requirement, error instanceof Error ? error.message : String(error))
  }
}

function missing(requirement: string, why: string): undefined {
  process.stderr.write(`The peer ${requirement} is missing, its row is left out: ${why}\n`)
  return undefined
}

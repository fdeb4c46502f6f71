import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../go/lock.ts'

const run = promisify(execFile)

/** Python of the system, which is where Debian's torch belongs to; the training processes run with it. */
const SYSTEM_PYTHON = '/usr/bin/python3'

/**
 * Makes a virtual environment of a list of requirements in the user's cache, or finds it there. Answers its interpreter.
 * Without Python 3.10 or newer the answer says what is missing; under `CI=true` that is an error.
 */
export async function pythonEnvironment(
  requirements: string = path.join(import.meta.dirname, 'requirements.txt'),
): Promise<string | { readonly missing: string }> {
  const base = await findPython()
  if (base === undefined) return missing('Python 3.10 or newer with the module venv (Debian: python3-venv)')
  const hash = createHash('sha256')
    .update(base.version)
    .update(await readFile(requirements))
  const folder = path.join(cacheFolder(), 'python', hash.digest('hex').slice(0, 16))
  const python = path.join(folder, 'bin/python')
  const complete = path.join(folder, 'requirements.txt')
  if (await exists(complete)) return python
  await mkdir(path.dirname(folder), { recursive: true })
  await withLock(`${folder}.lock`, async () => {
    if (await exists(complete)) return
    process.stderr.write('Installing Python packages; the first time this takes a while.\n')
    await rm(folder, { recursive: true, force: true })
    try {
      await run(base.file, ['-m', 'venv', folder])
      await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
      // last, because it says that all the rest is there
      await run('cp', [requirements, `${complete}.new`])
      await rename(`${complete}.new`, complete)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  })
  return python
}

/** Whether the system's Python can train; the answer says what is missing, and is an error under `CI=true`. */
export async function systemTorch(): Promise<{ readonly missing: string } | undefined> {
  const found = await run(SYSTEM_PYTHON, ['-c', 'import torch.distributed']).then(
    () => true,
    () => false,
  )
  return found ? undefined : missing(`torch for ${SYSTEM_PYTHON} (Debian: python3-torch)`)
}

function missing(what: string): { missing: string } {
  const message = `Not found: ${what}`
  if (process.env.CI === 'true') throw new Error(message)
  return { missing: message }
}

const VERSION = 'import sys, venv, ensurepip; print(sys.version) if sys.version_info >= (3, 10) else sys.exit(1)'

async function findPython(): Promise<{ file: string; version: string } | undefined> {
  for (const file of ['python3', 'python3.13', 'python3.12', 'python3.11', SYSTEM_PYTHON]) {
    const version = await run(file, ['-c', VERSION]).then(
      ({ stdout }) => stdout,
      () => undefined,
    )
    if (version !== undefined) return { file, version }
  }
  return undefined
}

function cacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'trainjob')
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, createCertificate } from './certificate.ts'

/** What a server shows and what its clients show. */
export interface Credentials extends Certificate {
  readonly token: string
}

/**
 * The credentials kept in a folder, made and written there (readable by the user only) when there are none; without a
 * folder fresh ones.
 */
export async function loadCredentials(dir: string | undefined, now: number): Promise<Credentials> {
  if (dir === undefined) return createCredentials(now)
  const file = join(dir, 'credentials.json')
  const kept = await read(file)
  if (kept !== undefined) return kept
  const fresh = createCredentials(now)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // in one step: a crash must not leave half a file
  await writeFile(`${file}.new`, JSON.stringify(fresh), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return fresh
}

function createCredentials(now: number): Credentials {
  return { ...createCertificate(now), token: randomBytes(32).toString('base64url') }
}

async function read(file: string): Promise<Credentials | undefined> {
  try {
    const { cert, key, token } = JSON.parse(await readFile(file, 'utf8')) as Partial<Credentials>
    if (typeof cert === 'string' && typeof key === 'string' && typeof token === 'string') return { cert, key, token }
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return undefined
}

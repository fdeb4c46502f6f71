import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { withLock } from './lock.ts'

const run = promisify(execFile)

/** Something that Go makes out of a folder of this repository. */
export interface GoBuild {
  /** Folder in the cache, relative: `oracle`, or `oracle/2.3.0` where one source makes several. */
  readonly name: string
  /** In words, for whoever waits: `the oracle of Kubeflow Trainer 2.3.0`. */
  readonly what: string
  /** The Go module's folder. */
  readonly source: string
  /** Puts what is wanted into `folder`; `go` runs in the module's folder and answers its output. */
  build(folder: string, go: (args: readonly string[]) => Promise<string>): Promise<void>
}

/**
 * Builds into the user's cache, or finds it there: the cache is keyed by the sources and the lock files. Answers the
 * folder. Without Go, which is only needed when nothing is in the cache yet, the answer says what is missing; under
 * `CI=true` that is an error.
 */
export async function cachedBuild(wanted: GoBuild): Promise<string | { readonly missing: string }> {
  const [first = '', ...rest] = wanted.name.split('/')
  const folder = path.join(cacheFolder(), first, await hashOf(wanted.source), ...rest)
  if (await exists(folder)) return folder
  if (!(await hasGo())) return missing(`Not built: ${wanted.what}. It needs Go 1.26 or newer: https://go.dev/dl`)
  await mkdir(path.dirname(folder), { recursive: true })
  await withLock(`${folder}.lock`, async () => {
    if (!(await exists(folder))) await buildInto(folder, wanted)
  })
  return folder
}

function missing(message: string): { missing: string } {
  if (process.env.CI === 'true') throw new Error(message)
  return { missing: message }
}

function cacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'trainjob')
}

async function hashOf(source: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of (await readdir(source, { recursive: true })).sort()) {
    if (/\.(go|mod|sum)$/.test(file)) hash.update(file).update(await readFile(path.join(source, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

async function hasGo(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  )
}

/** Builds aside and moves the result into place, so that nobody sees half of it. */
async function buildInto(folder: string, { what, source, build }: GoBuild): Promise<void> {
  const aside = await mkdtemp(`${folder}-`)
  try {
    process.stderr.write(`Building ${what}; the first time this takes minutes.\n`)
    await build(aside, async (args) => {
      const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly' }
      return (await run('go', args, { cwd: source, env, maxBuffer: 16 << 20 })).stdout
    })
    await rename(aside, folder)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { withLock } from './lock.ts'

const run = promisify(execFile)
const SOURCE = import.meta.dirname

/** Releases of Kubeflow Trainer that the oracle is built with; each has a Go module file. */
export const TRAINER_VERSIONS = { '2.3.0': 'go.mod', '2.2.1': 'trainer-2.2.1.mod' } as const
export type TrainerVersion = keyof typeof TRAINER_VERSIONS

/** The oracle of one release, built. */
export interface BuiltOracle {
  readonly version: TrainerVersion
  readonly binary: string
  /** Folder of the release's CustomResourceDefinitions. */
  readonly crds: string
  /** Folder of the release's runtimes, as YAML. */
  readonly runtimes: string
  /** Folder of the release's examples, as YAML. */
  readonly examples: string
}

/**
 * Builds the oracle into the user's cache, or finds it there: the cache is keyed by the sources and the lock files.
 * Without Go, which is only needed when it is not in the cache yet, the answer says what is missing; under `CI=true`
 * that is an error.
 */
export async function buildOracle(version: TrainerVersion): Promise<BuiltOracle | { readonly missing: string }> {
  const folder = path.join(cacheFolder(), await sourceHash(), version)
  if (!(await exists(folder))) {
    if (!(await hasGo())) return missing('Go 1.26 or newer is needed to build it: https://go.dev/dl')
    await mkdir(path.dirname(folder), { recursive: true })
    await withLock(`${folder}.lock`, async () => {
      if (!(await exists(folder))) await build(version, folder)
    })
  }
  return {
    version,
    binary: path.join(folder, 'oracle'),
    crds: path.join(folder, 'crds'),
    runtimes: path.join(folder, 'runtimes'),
    examples: path.join(folder, 'examples'),
  }
}

function missing(what: string): { missing: string } {
  const message = `No oracle of upstream's code: ${what}.`
  if (process.env.CI === 'true') throw new Error(message)
  return { missing: message }
}

function cacheFolder(): string {
  return path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'trainjob', 'oracle')
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of (await readdir(SOURCE)).sort()) {
    if (/\.(go|mod|sum)$/.test(file)) hash.update(file).update(await readFile(path.join(SOURCE, file)))
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
async function build(version: TrainerVersion, folder: string): Promise<void> {
  const aside = await mkdtemp(`${folder}-`)
  try {
    const modfile = `-modfile=${TRAINER_VERSIONS[version]}`
    process.stderr.write(`Building the oracle of Kubeflow Trainer ${version}; the first time this takes minutes.\n`)
    await go(['build', modfile, '-trimpath', '-ldflags=-s -w', '-o', path.join(aside, 'oracle'), '.'])
    const module = (await go(['list', modfile, '-m', '-f', '{{.Dir}}', 'github.com/kubeflow/trainer/v2'])).trim()
    await cp(path.join(module, 'manifests/base/crds'), path.join(aside, 'crds'), { recursive: true })
    await cp(path.join(module, 'manifests/base/runtimes'), path.join(aside, 'runtimes'), { recursive: true })
    await cp(path.join(module, 'examples'), path.join(aside, 'examples'), { recursive: true, filter: isYamlOrFolder })
    await rename(aside, folder)
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function go(args: readonly string[]): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=readonly' }
  const { stdout } = await run('go', args, { cwd: SOURCE, env, maxBuffer: 16 << 20 })
  return stdout
}

async function isYamlOrFolder(file: string): Promise<boolean> {
  return file.endsWith('.yaml') || (await stat(file)).isDirectory()
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

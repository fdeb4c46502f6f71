import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '@trainjob/kube'
import { pathInside } from '../volumes/safe-path.ts'
import { FetchError } from './fetch-error.ts'
import type { RemoteFile } from './remote-file.ts'
import { withRetries } from './with-retries.ts'

export interface DownloadOptions {
  /** Existing folder that nothing may leave. */
  readonly folder: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called as bytes arrive; `done` counts those of earlier attempts too. */
  readonly onBytes: (file: RemoteFile, done: number, total: number | undefined) => void
}

/** Holds what is not complete yet, and remembers what is. */
const OWN_FOLDER = '.fetch'
const PARALLEL = 4

/** What was fetched before: version by path. */
type Known = Record<string, { readonly version: string; readonly size: number }>

/**
 * Fetches files into a folder. Each appears under its name only when it is complete; one that broke off goes on where
 * it was, also in the next attempt of the container, and one that is there in the same version is not fetched again.
 * Throws `FetchError`, also for a path that would leave the folder: then nothing is fetched.
 */
export async function download(files: readonly RemoteFile[], options: DownloadOptions): Promise<void> {
  const { folder, signal } = options
  const places = new Map<string, RemoteFile>()
  for (const file of files) {
    const place = placeOf(folder, file.path)
    if (places.has(place)) throw new FetchError(`two files have the same path ${JSON.stringify(file.path)}`)
    places.set(place, file)
  }
  const own = join(folder, OWN_FOLDER)
  await mkdir(own, { recursive: true })
  const known = await readKnown(join(own, 'known.json'))
  const failing = new AbortController()
  const either = AbortSignal.any([signal, failing.signal])
  const waiting = [...places]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, file] = next
      await fetchFile(file, place, known, own, { ...options, signal: either })
    }
  }
  const workers = Array.from({ length: Math.min(PARALLEL, waiting.length) }, () =>
    work().catch((error) => {
      failing.abort()
      throw error
    }),
  )
  const results = await Promise.allSettled(workers)
  await writeFile(join(own, 'known.json'), JSON.stringify(known))
  signal.throwIfAborted()
  // the first failure ended the others
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const first = failures.find((reason) => reason instanceof FetchError) ?? failures[0]
  if (first !== undefined) throw first
}

function placeOf(folder: string, path: string): string {
  const place = path.includes('\\') ? undefined : pathInside(folder, path)
  if (place === undefined || place === folder || path.split('/')[0] === OWN_FOLDER) {
    throw new FetchError(`the other side names a file ${JSON.stringify(path)}, which does not lie inside of the folder`)
  }
  return place
}

async function fetchFile(
  file: RemoteFile,
  place: string,
  known: Known,
  own: string,
  options: DownloadOptions,
): Promise<void> {
  const before = known[file.path]
  if (file.version !== undefined && before?.version === file.version && (await sizeOf(place)) === before.size) {
    options.onBytes(file, before.size, before.size)
    return
  }
  // without a version nobody knows whether the rest belongs to the same content
  const id = createHash('sha256').update(`${file.path}\0${file.version}`).digest('hex').slice(0, 24)
  const part = join(own, id)
  if (file.version === undefined) await rm(part, { force: true })
  await withRetries(options, () => fetchRest(file, part, options))
  await mkdir(dirname(place), { recursive: true })
  // A link that came into being meanwhile must not lead it out of the folder.
  placeOf(options.folder, file.path)
  const size = (await stat(part)).size
  await rename(part, place)
  if (file.version !== undefined) known[file.path] = { version: file.version, size }
}

/** Appends what is missing. */
async function fetchRest(file: RemoteFile, part: string, { signal, onBytes }: DownloadOptions): Promise<void> {
  const found = (await sizeOf(part)) ?? 0
  // more than there is: not what it should be
  const have = file.size !== undefined && found > file.size ? 0 : found
  if (have > 0 && have === file.size) {
    onBytes(file, have, have)
    return
  }
  const opened = await file.open(have, signal)
  const target = await open(part, opened.from === have && have > 0 ? 'a' : 'w')
  let done = opened.from === have ? have : 0
  try {
    if (opened.from !== done) throw new FetchError(`${file.path}: it begins at byte ${opened.from}, not at ${done}`)
    onBytes(file, done, opened.size)
    for await (const chunk of opened.chunks) {
      signal.throwIfAborted()
      await target.write(chunk)
      done += chunk.length
      onBytes(file, done, opened.size)
    }
  } finally {
    await target.close()
  }
  if (opened.size !== undefined && done !== opened.size) {
    throw new FetchError(`${file.path}: ${done} bytes came of ${opened.size}`, { temporary: done < opened.size })
  }
}

async function readKnown(path: string): Promise<Known> {
  try {
    return Object.assign(Object.create(null), JSON.parse(await readFile(path, 'utf8'))) as Known
  } catch {
    // there is none, or a crash has cut it: then all is fetched again
    return Object.create(null) as Known
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch {
    return undefined
  }
}

import { mkdir } from 'node:fs/promises'
import type { Clock } from '@trainjob/kube'
import type { Initialized } from '@trainjob/runtime'
import { download } from './download.ts'
import { FetchError } from './fetch-error.ts'
import { fileSource } from './file-source.ts'
import { createHttpClient, type HttpClient } from './http-file.ts'
import { httpSource } from './http-source.ts'
import { huggingFaceSource } from './hugging-face.ts'
import { createProgress } from './progress.ts'
import type { Source } from './remote-file.ts'
import { s3Source } from './s3-source.ts'
import { withRetries } from './with-retries.ts'

/** What to fetch, and where to. */
export interface FetchTask {
  readonly kind: Initialized
  /** The container's environment: `STORAGE_URI`, `IGNORE_PATTERNS`, keys and tokens. */
  readonly env: Readonly<Record<string, string>>
  /** Folder of this machine; created if missing. */
  readonly folder: string
  /** The same folder as the container knows it. */
  readonly folderInContainer: string
  /** Where a path of the container is on this machine. */
  place(path: string): string
}

/** What a task needs from its surroundings. */
export interface FetchSurroundings {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly print: (line: string) => void
}

/** Model files that Trainer's initializers leave out unless told otherwise (source: pkg/initializers/types/types.py). */
const IGNORED_OF_MODELS = ['*.msgpack', '*.h5', '*.bin', '*.pt', '*.pth']
const PROGRESS_EVERY_MS = 1_000

/**
 * What Trainer's initializer images do, with `file`, `http` and `https` on top of `hf` and `s3`: fetches what
 * `STORAGE_URI` names. Throws `FetchError`.
 */
export async function fetchAll(task: FetchTask, { clock, signal, print }: FetchSurroundings): Promise<void> {
  const { kind, env, folder } = task
  const client = await createHttpClient(env)
  try {
    const source = sourceOf(task, client)
    print(`fetching the ${kind} from ${source.name} to ${task.folderInContainer}`)
    const files = await withRetries({ clock, signal }, () => source.list(signal))
    if (files.length === 0) {
      throw new FetchError(`there is nothing to fetch at ${source.name}; correct STORAGE_URI, or IGNORE_PATTERNS`)
    }
    await mkdir(folder, { recursive: true })
    const progress = createProgress(files)
    let told = clock.now()
    await download(files, {
      folder,
      clock,
      signal,
      onBytes(file, done, total) {
        progress.see(file, done, total)
        if (clock.now() - told < PROGRESS_EVERY_MS) return
        told = clock.now()
        print(`${kind}: ${progress.line()}`)
      },
    })
    print(`${kind}: ${progress.line()} · complete`)
  } finally {
    await client.close()
  }
}

function sourceOf({ kind, env, place }: FetchTask, client: HttpClient): Source {
  const uri = env.STORAGE_URI ?? ''
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  const ignore = env.IGNORE_PATTERNS
    ? env.IGNORE_PATTERNS.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))
    : kind === 'model'
      ? IGNORED_OF_MODELS
      : []
  switch (scheme) {
    case 'file':
      return fileSource(uri, place)
    case 'http':
    case 'https':
      return httpSource(uri, client)
    case 'hf':
      return huggingFaceSource({ uri, kind, env, ignore, client })
    case 's3':
      return s3Source({ uri, env, ignore, client })
    case 'cache':
      throw new FetchError(`${uri}: the data cache needs a cluster; here use hf://, s3://, https:// or file://`)
    default:
      throw new FetchError(
        uri === ''
          ? `the ${kind} initializer has no STORAGE_URI: set spec.initializer.${kind}.storageUri`
          : `STORAGE_URI ${uri} has no scheme that is known: expected hf://, s3://, https://, http:// or file://`,
      )
  }
}

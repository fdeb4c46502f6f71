import type { Initialized } from '@trainjob/runtime'
import { FetchError } from './fetch-error.ts'
import { selectFiles } from './file-pattern.ts'
import { type HttpClient, httpFile } from './http-file.ts'
import type { Source } from './remote-file.ts'

const HUB = 'https://huggingface.co'
/** What Trainer's initializer takes of a model (source: Trainer 2.3.0, pkg/initializers/model/huggingface.py). */
const MODEL_FILES = ['*.json', '*.safetensors', '*.model', '*.txt']

/** What a repository's page says about its files. */
interface RepositoryInfo {
  readonly sha?: string
  readonly siblings?: readonly {
    readonly rfilename: string
    readonly size?: number
    readonly lfs?: { size?: number }
  }[]
}

export interface HuggingFaceOptions {
  /** `hf://owner/name`, with `@revision` behind it where it is not `main`. */
  readonly uri: string
  readonly kind: Initialized
  readonly env: Readonly<Record<string, string>>
  readonly ignore: readonly string[]
  readonly client: HttpClient
}

/** A repository of the Hugging Face hub, or of the one at `HF_ENDPOINT`, at one commit. */
export function huggingFaceSource(options: HuggingFaceOptions): Source {
  const { uri, kind, env, ignore, client } = options
  const { repository, revision } = repositoryOf(uri, kind)
  const hub = (env.HF_ENDPOINT || HUB).replace(/\/+$/, '')
  const base = /^https?:\/\//.test(hub) ? hub : `https://${hub}`
  const token = env.ACCESS_TOKEN || env.HF_TOKEN || env.HUGGING_FACE_HUB_TOKEN
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const plural = kind === 'dataset' ? 'datasets' : 'models'
  const prefix = kind === 'dataset' ? 'datasets/' : ''
  return {
    name: `${repository} at ${base}`,
    async list(signal) {
      const url = `${base}/api/${plural}/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`
      const info = (await client.get({ url, headers }, signal).then(
        (answer) => answer.json(),
        (error: FetchError) => {
          throw new FetchError(`${error.message}${advice(error.message, token !== undefined)}`, {
            temporary: error.temporary,
            cause: error,
          })
        },
      )) as RepositoryInfo
      const commit = info.sha ?? revision
      const files = (info.siblings ?? []).map(({ rfilename, size, lfs }) =>
        httpFile(client, { path: rfilename, size: lfs?.size ?? size, version: commit }, () => ({
          url: `${base}/${prefix}${repository}/resolve/${encodeURIComponent(commit)}/${rfilename.split('/').map(encodeURIComponent).join('/')}`,
          headers,
        })),
      )
      return selectFiles(files, ignore, kind === 'model' ? MODEL_FILES : undefined)
    },
  }
}

function repositoryOf(uri: string, kind: Initialized): { repository: string; revision: string } {
  const [path = '', revision = 'main'] = uri.slice('hf://'.length).split('@')
  const parts = path.split('/').filter((part) => part !== '')
  // of a dataset Trainer reads owner and name, whatever follows
  const names = kind === 'dataset' ? parts.slice(0, 2) : parts
  if (names.length === 0 || names.length > 2 || names.some((name) => !/^[\w.-]+$/.test(name) || /^\.+$/.test(name))) {
    throw new FetchError(`${uri} names no repository: expected hf://OWNER/NAME`)
  }
  return { repository: names.join('/'), revision }
}

function advice(message: string, hasToken: boolean): string {
  if (!/answers 40[134]/.test(message)) return ''
  return hasToken
    ? '; the token may not read it, or it does not exist'
    : '; where it is private or gated, give a token as ACCESS_TOKEN or HF_TOKEN (secretRef)'
}

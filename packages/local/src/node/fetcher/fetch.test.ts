import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@trainjob/kube'
import type { Initialized } from '@trainjob/runtime'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { download } from './download.ts'
import { fetchAll } from './fetch.ts'
import { FetchError } from './fetch-error.ts'
import { createHttpClient, httpFile } from './http-file.ts'
import { type StandIn, type StandInAnswer, standIn } from './testing/stand-in-server.ts'

let dir: string
let folder: string
let server: StandIn | undefined
const alive = setInterval(() => {}, 2 ** 30)
alive.unref()
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'tj-fetch-')))
  folder = join(dir, 'target')
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dir, { recursive: true, force: true })
})

const serve = async (answer: (path: string, query: URLSearchParams) => StandInAnswer): Promise<StandIn> => {
  server = await standIn(answer)
  return server
}

async function fetched(
  env: Record<string, string>,
  kind: Initialized = 'dataset',
  signal = new AbortController().signal,
) {
  const lines: string[] = []
  const place = (path: string) => path.replace(/^\/workspace/, dir)
  const task = { kind, env, folder, folderInContainer: `/workspace/${kind}`, place }
  await fetchAll(task, { clock: systemClock, signal, print: (line) => lines.push(line) })
  return lines
}

/** Files by path, without what the fetcher keeps for itself. */
function files(at = folder): Record<string, string> {
  if (!existsSync(at)) return {}
  return Object.fromEntries(
    readdirSync(at, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.fetch'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(at.length + 1), readFileSync(path, 'utf8')]
      }),
  )
}

describe('from http', () => {
  it('takes the file under its name, and says how far it is', async () => {
    const { url } = await serve((path) => (path === '/data/train set.csv' ? 'a,b\n' : undefined))
    const lines = await fetched({ STORAGE_URI: `${url}/data/train%20set.csv?sig=secret` })
    expect(files()).toEqual({ 'train set.csv': 'a,b\n' })
    expect(lines[0]).toBe(`fetching the dataset from ${url}/data/train%20set.csv to /workspace/dataset`)
    expect(lines.at(-1)).toBe('dataset: 4 B of 4 B (100 %) · complete')
    expect(lines.join()).not.toContain('secret')
  })

  const whole = Buffer.from('0123456789'.repeat(50_000))
  const rangesOf = ({ requests }: StandIn) => requests.flatMap(({ headers }) => headers.range ?? [])

  it('goes on where the connection broke', async () => {
    const at = await serve(() => ({ whole, breakAt: 300_000 }))
    await fetched({ STORAGE_URI: `${at.url}/big.bin` })
    expect(files()['big.bin'] === whole.toString()).toBe(true)
    expect(rangesOf(at).length).toBeGreaterThan(0)
  })

  it('goes on in the next attempt of the container', async () => {
    let requests = 0
    let broken = true
    const at = await serve(() => {
      if (!broken) return whole
      // the list, the file, and no more
      return ++requests <= 2 ? { whole, breakAt: 300_000 } : { status: 403, body: 'gone' }
    })
    await expect(fetched({ STORAGE_URI: `${at.url}/big.bin` })).rejects.toThrow('answers 403')
    expect(Object.keys(files())).toEqual([])
    broken = false
    const before = rangesOf(at).length
    await fetched({ STORAGE_URI: `${at.url}/big.bin` })
    expect(files()['big.bin'] === whole.toString()).toBe(true)
    expect(rangesOf(at).length).toBe(before + 1)
  })

  it('begins anew where what it has cannot be the beginning', async () => {
    const signal = new AbortController().signal
    const { url, requests } = await serve(() => 'short')
    const client = await createHttpClient({})
    const file = httpFile(client, { path: 'x', version: '1' }, () => ({ url: `${url}/x`, headers: {} }))
    let first = true
    const grown = {
      ...file,
      // the first attempt gets more than the file has, and breaks
      open: async (from: number) => {
        if (!first) return file.open(from, signal)
        first = false
        const chunks = (async function* () {
          yield Buffer.from('much too long')
          throw new FetchError('broken', { temporary: true })
        })()
        return { from: 0, chunks }
      },
    }
    mkdirSync(folder)
    await download([grown], { folder, clock: systemClock, signal, onBytes() {} })
    expect(files()).toEqual({ x: 'short' })
    expect(requests.map(({ headers }) => headers.range)).toEqual(['bytes=13-', undefined])
    await client.close()
  })

  it('does not fetch again what is there', async () => {
    const { url, requests } = await serve(() => 'same')
    await fetched({ STORAGE_URI: `${url}/x` })
    const before = requests.length
    await fetched({ STORAGE_URI: `${url}/x` })
    expect(requests.length - before).toBe(1)
    expect(files()).toEqual({ x: 'same' })
  })

  it.each([
    ['a file that is missing', '/none', /\/none answers 404 .*no such thing/],
    ['a path without a name', '/', /names no file/],
    ['a file that would leave the folder', '/..%2fout', /does not lie inside of the folder/],
  ])('refuses %s', async (_, path, message) => {
    const { url } = await serve((asked) => (asked.includes('out') ? 'x' : undefined))
    await expect(fetched({ STORAGE_URI: `${url}${path}` })).rejects.toThrow(message)
    expect(readdirSync(dir).filter((name) => name !== 'target')).toEqual([])
  })

  it('tries again what may be better in a moment', async () => {
    let busy = 2
    const { url } = await serve(() => (busy-- > 0 ? { status: 503, body: 'busy' } : 'done'))
    await fetched({ STORAGE_URI: `${url}/x` })
    expect(files()).toEqual({ x: 'done' })
  })
})

describe('from this machine', () => {
  it('copies a file, or all of a folder', async () => {
    mkdirSync(join(dir, 'raw/deep'), { recursive: true })
    writeFileSync(join(dir, 'raw/a'), '1')
    writeFileSync(join(dir, 'raw/deep/b'), '2')
    symlinkSync('a', join(dir, 'raw/link'))
    await fetched({ STORAGE_URI: `file://${dir}/raw` })
    expect(files()).toEqual({ a: '1', 'deep/b': '2', link: '1' })
    rmSync(folder, { recursive: true })
    await fetched({ STORAGE_URI: 'file:///workspace/raw/deep/b' })
    expect(files()).toEqual({ b: '2' })
  })

  it('says that there is nothing', async () => {
    await expect(fetched({ STORAGE_URI: 'file:///nowhere/at/all' })).rejects.toThrow('/nowhere/at/all does not exist')
  })
})

describe('from Hugging Face', () => {
  const hub = (listing: object[]) =>
    serve((path) => {
      if (path === '/api/datasets/tatsu-lab/alpaca/revision/main')
        return JSON.stringify({ sha: 'c0ffee', siblings: listing })
      if (path === '/api/models/gpt2/revision/main') return JSON.stringify({ sha: 'beef', siblings: listing })
      const file = /^\/(?:datasets\/tatsu-lab\/alpaca|gpt2)\/resolve\/(?:c0ffee|beef)\/(.*)$/.exec(path)?.[1]
      return file === undefined ? undefined : `content of ${file}`
    })

  it('takes a dataset at one commit, with the token of the secret', async () => {
    const { url, requests } = await hub([{ rfilename: 'README.md', size: 20 }, { rfilename: 'data/train 0.parquet' }])
    await fetched({ STORAGE_URI: 'hf://tatsu-lab/alpaca', HF_ENDPOINT: url, ACCESS_TOKEN: 'hf_x' })
    expect(files()).toEqual({
      'README.md': 'content of README.md',
      'data/train 0.parquet': 'content of data/train 0.parquet',
    })
    expect(requests.every(({ headers }) => headers.authorization === 'Bearer hf_x')).toBe(true)
  })

  it('takes of a model what training needs', async () => {
    const names = ['config.json', 'model.safetensors', 'pytorch_model.bin', 'image.png', 'vocab.txt']
    const { url } = await hub(names.map((rfilename) => ({ rfilename })))
    await fetched({ STORAGE_URI: 'hf://gpt2', HF_ENDPOINT: url, IGNORE_PATTERNS: 'vocab*, *.h5' }, 'model')
    expect(Object.keys(files()).sort()).toEqual(['config.json', 'model.safetensors'])
  })

  it('says what to do about a repository that may not be read', async () => {
    const { url } = await serve(() => ({ status: 401, body: 'Invalid username or password.' }))
    await expect(fetched({ STORAGE_URI: 'hf://meta/llama', HF_ENDPOINT: url }, 'model')).rejects.toThrow(
      /answers 401 .*give a token as ACCESS_TOKEN or HF_TOKEN/,
    )
  })

  it.each(['hf://', 'hf://a/b/c', 'hf://../x', 'hf://a b/c'])('refuses %s', async (uri) => {
    await expect(fetched({ STORAGE_URI: uri }, 'model')).rejects.toThrow('expected hf://OWNER/NAME')
  })

  it('never leaves the folder, whatever the hub lists', async () => {
    mkdirSync(folder)
    symlinkSync(dir, join(folder, 'out'))
    const part = fc.constantFrom('..', '.', '', 'a', 'out', '.fetch', '...', '\\', '%2e%2e', 'known.json')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const path = parts.join('/')
        const evil = {
          path,
          size: 4,
          open: async () => ({
            from: 0,
            size: 4,
            chunks: (async function* () {
              yield Buffer.from('evil')
            })(),
          }),
        }
        const signal = new AbortController().signal
        await download([evil], { folder, clock: systemClock, signal, onBytes() {} }).catch(() => {})
        expect(readdirSync(dir)).toEqual(['target'])
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
        symlinkSync(dir, join(folder, 'out'))
      }),
      { numRuns: 60 },
    )
  })
})

describe('from S3', () => {
  const objects: Record<string, string> = {
    'data/a.csv': '1',
    'data/deep/b & c.csv': '22',
    'data/skip.bin': '333',
    'data-old/x': 'no',
    'data/': '',
  }
  /** Two keys a page. */
  const bucket = () =>
    serve((path, query) => {
      if (path !== '/bucket/') return objects[path.slice('/bucket/'.length)]
      const keys = Object.keys(objects).filter((key) => key.startsWith(query.get('prefix') ?? ''))
      const start = Number(query.get('continuation-token') ?? 0)
      const page = keys.slice(start, start + 2)
      const more = start + 2 < keys.length
      const contents = page.map(
        (key) =>
          `<Contents><Key>${encodeURIComponent(key).replaceAll('%20', '+')}</Key><ETag>&quot;${key.length}&quot;</ETag><Size>${objects[key]?.length}</Size></Contents>`,
      )
      return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${more ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : ''}</ListBucketResult>`
    })
  const keys = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' }

  it.each([
    ['AWS’s names, a scheme', (at: StandIn) => ({ AWS_ENDPOINT_URL: at.url, ...keys })],
    ['AWS’s names, no scheme', (at: StandIn) => ({ AWS_ENDPOINT_URL: at.authority, ...keys })],
    [
      'Trainer’s names',
      (at: StandIn) => ({ ENDPOINT: `${at.url}/`, ACCESS_KEY_ID: 'AKID', SECRET_ACCESS_KEY: 's', REGION: 'eu-west-1' }),
    ],
  ])('takes every page of a prefix (%s)', async (_, env) => {
    const at = await bucket()
    await fetched({ STORAGE_URI: 's3://bucket/data', IGNORE_PATTERNS: '*.bin', ...env(at) })
    expect(files()).toEqual({ 'a.csv': '1', 'deep/b & c.csv': '22' })
    for (const { headers } of at.requests) {
      expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/(us-east-1|eu-west-1)\/s3\//)
    }
  })

  it('takes one object by its name, without keys where none are needed', async () => {
    const { url, requests } = await bucket()
    await fetched({ STORAGE_URI: 's3://bucket/data/a.csv', AWS_ENDPOINT_URL: url })
    expect(files()).toEqual({ 'a.csv': '1' })
    expect(requests.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it('says that there is nothing, and what a refusal wants', async () => {
    const { url } = await bucket()
    await expect(fetched({ STORAGE_URI: 's3://bucket/none', AWS_ENDPOINT_URL: url })).rejects.toThrow(
      'nothing to fetch',
    )
    await server?.close()
    const closed = await serve(() => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }))
    await expect(fetched({ STORAGE_URI: 's3://bucket/x', AWS_ENDPOINT_URL: closed.url })).rejects.toThrow(
      /AccessDenied.*AWS_ACCESS_KEY_ID/,
    )
  })

  it('goes on where the connection broke', async () => {
    const whole = Buffer.from('0123456789'.repeat(50_000))
    const listed = '<Contents><Key>data/big.bin</Key><ETag>&quot;1&quot;</ETag><Size>500000</Size></Contents>'
    const at = await serve((path) =>
      path === '/bucket/' ? `<ListBucketResult>${listed}</ListBucketResult>` : { whole, breakAt: 300_000 },
    )
    await fetched({ STORAGE_URI: 's3://bucket/data', AWS_ENDPOINT_URL: at.url, ...keys })
    expect(files()['big.bin'] === whole.toString()).toBe(true)
    expect(at.requests.flatMap(({ headers }) => headers.range ?? []).length).toBeGreaterThan(0)
  })

  it.each(['data/../../out', 'data//etc/../../../out', 'data/.fetch/x'])(
    'refuses an object whose key leads out of the folder: %s',
    async (key) => {
      const contents = `<Contents><Key>${key}</Key><ETag>&quot;1&quot;</ETag><Size>4</Size></Contents>`
      const at = await serve((path) =>
        path === '/bucket/' ? `<ListBucketResult>${contents}</ListBucketResult>` : 'evil',
      )
      const fetching = fetched({ STORAGE_URI: 's3://bucket/data', AWS_ENDPOINT_URL: at.url, ...keys })
      await expect(fetching).rejects.toThrow(/does not lie inside of the folder/)
      expect(readdirSync(dir).filter((name) => name !== 'target')).toEqual([])
      expect(files()).toEqual({})
    },
  )

  it('says that roles cannot be taken on', async () => {
    await expect(fetched({ STORAGE_URI: 's3://b/x', ROLE_ARN: 'arn:aws:iam::1:role/r' })).rejects.toThrow(
      'cannot be taken on here',
    )
  })
})

it.each([
  ['nothing', {}, /has no STORAGE_URI: set spec.initializer.dataset.storageUri/],
  ['an unknown scheme', { STORAGE_URI: 'ftp://x/y' }, /expected hf:\/\/, s3:\/\//],
  ['the data cache', { STORAGE_URI: 'cache://schema/table' }, /needs a cluster/],
])('refuses %s', async (_, env, message) => {
  await expect(fetched(env as Record<string, string>)).rejects.toThrow(message)
})

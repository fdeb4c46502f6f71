import { FetchError } from './fetch-error.ts'
import { selectFiles } from './file-pattern.ts'
import { type HttpClient, type HttpRequest, httpFile } from './http-file.ts'
import type { RemoteFile, Source } from './remote-file.ts'
import { type S3Endpoint, s3Endpoint } from './s3-endpoint.ts'

export interface S3Options {
  /** `s3://bucket/prefix`; an object of that very name is the only file. */
  readonly uri: string
  readonly env: Readonly<Record<string, string>>
  readonly ignore: readonly string[]
  readonly client: HttpClient
}

interface ListedObject {
  readonly key: string
  readonly size: number
  readonly etag: string
}

/** The objects below a prefix of an S3 bucket, or of a server that speaks like one. */
export function s3Source({ uri, env, ignore, client }: S3Options): Source {
  const match = /^s3:\/\/([a-z0-9][\w.-]*)(?:\/(.*))?$/i.exec(uri)
  if (match === null) throw new FetchError(`${uri} names no bucket: expected s3://BUCKET/PREFIX`)
  const [, bucket = '', prefix = ''] = match
  const endpoint = s3Endpoint(bucket, env)

  async function listAll(signal: AbortSignal): Promise<ListedObject[]> {
    const found: ListedObject[] = []
    let token: string | undefined
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix, 'encoding-type': 'url' })
      if (token !== undefined) query.set('continuation-token', token)
      // S3 reads a plus sign as itself
      const url = `${endpoint.base}/?${query.toString().replaceAll('+', '%20')}`
      const answer = await client.get(await signed(url, endpoint), signal).catch((error: FetchError) => {
        throw new FetchError(`${error.message}${advice(error.message, endpoint)}`, {
          temporary: error.temporary,
          cause: error,
        })
      })
      const page = readListing(await answer.text())
      found.push(...page.objects)
      token = page.next
    } while (token !== undefined)
    return found
  }

  function fileOf({ key, size, etag }: ListedObject): RemoteFile & { readonly key: string } {
    const path = key === prefix ? (key.split('/').at(-1) ?? key) : key.slice(prefix.length).replace(/^\/+/, '')
    const url = `${endpoint.base}/${key.split('/').map(encodeKey).join('/')}`
    return { ...httpFile(client, { path, size, version: etag }, () => signed(url, endpoint)), key }
  }

  return {
    name: `s3://${bucket}/${prefix} at ${new URL(endpoint.base).origin}`,
    async list(signal) {
      const below = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
      const objects = (await listAll(signal)).filter(
        // what ends in a slash stands for a folder; `data` is not the beginning of `data-old/…`
        ({ key }) => !key.endsWith('/') && (key === prefix || key.startsWith(below)),
      )
      const files = objects.map(fileOf)
      // Patterns are about whole keys (source: Trainer 2.3.0, pkg/initializers/utils/opendal.py).
      const chosen = new Set(
        selectFiles(
          files.map(({ key }) => ({ path: key })),
          ignore,
        ).map(({ path }) => path),
      )
      return files.filter(({ key }) => chosen.has(key))
    },
  }
}

async function signed(
  url: string,
  { region, accessKeyId, secretAccessKey, sessionToken }: S3Endpoint,
): Promise<HttpRequest> {
  // public buckets answer requests without a signature
  if (accessKeyId === undefined || secretAccessKey === undefined) return { url, headers: {} }
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({
    url,
    method: 'GET',
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
  })
  const made = await signer.sign()
  return { url: made.url.href, headers: Object.fromEntries(made.headers) }
}

/** One page of ListObjectsV2. With `encoding-type=url` keys are percent-encoded, so nothing in them looks like XML. */
function readListing(xml: string): { objects: ListedObject[]; next: string | undefined } {
  if (!xml.includes('<ListBucketResult')) {
    throw new FetchError(`the endpoint does not answer as S3 does; it says: ${xml.replace(/\s+/g, ' ').slice(0, 200)}`)
  }
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, part = '']) => ({
    key: decodeURIComponent((field(part, 'Key') ?? '').replaceAll('+', '%20')),
    size: Number(field(part, 'Size') ?? 0),
    etag: field(part, 'ETag') ?? '',
  }))
  const more = field(xml, 'IsTruncated') === 'true'
  return { objects, next: more ? field(xml, 'NextContinuationToken') : undefined }
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

function field(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
  return text
    ?.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}

/** As signatures want it: all but the unreserved signs of RFC 3986. */
function encodeKey(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function advice(message: string, { accessKeyId }: S3Endpoint): string {
  if (!/answers 40[13]/.test(message)) return ''
  return accessKeyId === undefined
    ? '; it wants keys: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (secretRef)'
    : ''
}

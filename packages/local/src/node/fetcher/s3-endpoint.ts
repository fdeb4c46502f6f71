import { FetchError } from './fetch-error.ts'

/** How a bucket is reached. */
export interface S3Endpoint {
  /** Without a slash at the end. */
  readonly base: string
  readonly region: string
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  readonly sessionToken?: string | undefined
}

type Env = Readonly<Record<string, string>>

/**
 * Where a bucket is and who asks, from the environment: Trainer's names (`ENDPOINT`, `ACCESS_KEY_ID`,
 * `SECRET_ACCESS_KEY`, `REGION`) or those of AWS's own tools, whose keys, regions and endpoints count equally. An
 * endpoint may come without a scheme.
 */
export function s3Endpoint(bucket: string, env: Env): S3Endpoint {
  const region = env.REGION || env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1'
  const endpoint = env.ENDPOINT || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || env.S3_ENDPOINT
  const keys = {
    accessKeyId: env.ACCESS_KEY_ID || env.AWS_ACCESS_KEY_ID || undefined,
    secretAccessKey: env.SECRET_ACCESS_KEY || env.AWS_SECRET_ACCESS_KEY || undefined,
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  }
  if ((env.ROLE_ARN || env.AWS_ROLE_ARN) && keys.accessKeyId === undefined) {
    throw new FetchError(
      `roles (${env.ROLE_ARN || env.AWS_ROLE_ARN}) cannot be taken on here: give the keys of an account as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (secretRef)`,
    )
  }
  if (endpoint) {
    // With the bucket in the path: a server of one's own has no name for each bucket.
    const base = `${withScheme(endpoint.trim(), env)}/${encodeURIComponent(bucket)}`
    return { base, region, ...keys }
  }
  const host = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  // certificates do not cover names with dots
  const base = bucket.includes('.')
    ? `https://s3.${region}.${host}/${bucket}`
    : `https://${bucket}.s3.${region}.${host}`
  return { base, region, ...keys }
}

function withScheme(endpoint: string, env: Env): string {
  const bare = endpoint.replace(/\/+$/, '')
  if (/^https?:\/\//i.test(bare)) return bare
  const https = env.S3_USE_HTTPS === undefined ? !isNear(bare) : !/^(0|false|no)$/i.test(env.S3_USE_HTTPS)
  return `${https ? 'https' : 'http'}://${bare}`
}

/** This machine, a private network or the inside of a cluster, where nobody has certificates. */
function isNear(authority: string): boolean {
  const host = authority.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return (
    !host.includes('.') ||
    /\.(svc|local|internal|localhost)$/.test(host) ||
    /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)
  )
}

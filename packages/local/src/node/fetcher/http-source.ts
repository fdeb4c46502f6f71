import { FetchError } from './fetch-error.ts'
import { type HttpClient, httpFile } from './http-file.ts'
import type { Source } from './remote-file.ts'

/** The one file behind an `http` or `https` URL, under the last part of its path. */
export function httpSource(uri: string, client: HttpClient): Source {
  const url = new URL(uri)
  const name = nameOf(url)
  if (name === '') {
    throw new FetchError(
      `${url.href} names no file: expected a path that ends in a name, such as ${url.origin}/data.csv`,
    )
  }
  // a password in a URL is meant for the server, not for a header that a proxy logs
  const headers: Record<string, string> =
    url.username === ''
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
        }
  url.username = ''
  url.password = ''
  return {
    name: `${url.origin}${url.pathname}`,
    async list(signal) {
      // Not every server answers HEAD; what GET says before its content is enough.
      const answer = await client.get({ url: url.href, headers }, signal)
      await answer.body?.cancel()
      const version = answer.headers.get('etag') ?? answer.headers.get('last-modified') ?? undefined
      const length = answer.headers.get('content-encoding') === null ? answer.headers.get('content-length') : null
      const size = length === null ? undefined : Number(length)
      return [httpFile(client, { path: name, size, version }, () => ({ url: url.href, headers }))]
    },
  }
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

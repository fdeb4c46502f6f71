import type { Dispatcher } from 'undici'
import { FetchError } from './fetch-error.ts'
import type { OpenFile, RemoteFile } from './remote-file.ts'

/** A request that is about to be sent. */
export interface HttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends GET requests and follows redirects; answers of 400 and above are `FetchError`s. */
export interface HttpClient {
  get(request: HttpRequest, signal: AbortSignal): Promise<Response>
  close(): Promise<void>
}

/** Answers that may be others in a moment. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504])
const RANGE_NOT_SATISFIABLE = 416
const TOLD_CHARACTERS = 300

/** Through the proxies that the container's environment names. */
export async function createHttpClient(env: Readonly<Record<string, string>>): Promise<HttpClient> {
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const setting = (name: string): string | undefined => env[name] ?? env[name.toLowerCase()]
  const dispatcher: Dispatcher = new EnvHttpProxyAgent({
    httpProxy: setting('HTTP_PROXY') ?? '',
    httpsProxy: setting('HTTPS_PROXY') ?? '',
    noProxy: setting('NO_PROXY') ?? '',
  })
  return {
    async get({ url, headers }, signal) {
      let answer: Response
      try {
        answer = (await fetch(url, { headers, dispatcher, signal })) as unknown as Response
      } catch (error) {
        const cause = (error as { cause?: unknown }).cause ?? error
        const text = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause)
        throw new FetchError(`${withoutQuery(url)} does not answer: ${text}`, { temporary: !signal.aborted, cause })
      }
      if (answer.ok) return answer
      const said = (await answer.text().catch(() => '')).replace(/\s+/g, ' ').trim().slice(0, TOLD_CHARACTERS)
      throw new FetchError(`${withoutQuery(url)} answers ${answer.status} ${answer.statusText}${said && `: ${said}`}`, {
        temporary: TEMPORARY.has(answer.status),
        status: answer.status,
      })
    },
    // whatever is still open is wanted by nobody
    close: () => dispatcher.destroy(),
  }
}

/** Signatures and tokens may stand in a query. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url
}

/** A file behind a URL. `request` makes the request for it each time it is opened, for a signature has its time. */
export function httpFile(
  client: HttpClient,
  about: Pick<RemoteFile, 'path' | 'size' | 'version'>,
  request: () => HttpRequest | Promise<HttpRequest>,
): RemoteFile {
  return {
    ...about,
    async open(from, signal): Promise<OpenFile> {
      const ask = async (range: Readonly<Record<string, string>>): Promise<Response> => {
        const { url, headers } = await request()
        // The bytes of the file, not of a compressed form of it.
        return client.get({ url, headers: { ...headers, 'accept-encoding': 'identity', ...range } }, signal)
      }
      const answer = await (from === 0
        ? ask({})
        : ask({ range: `bytes=${from}-` }).catch((error: unknown) => {
            // the file is not that long any more
            if (error instanceof FetchError && error.status === RANGE_NOT_SATISFIABLE) return ask({})
            throw error
          }))
      const begins = answer.status === 206 ? rangeStart(answer.headers.get('content-range')) : 0
      const length = Number(answer.headers.get('content-length') ?? Number.NaN)
      return {
        from: begins,
        size: Number.isNaN(length) || answer.headers.has('content-encoding') ? about.size : begins + length,
        chunks: bytesOf(answer),
      }
    },
  }
}

function rangeStart(text: string | null): number {
  return Number(/^bytes (\d+)-/.exec(text ?? '')?.[1] ?? 0)
}

async function* bytesOf(answer: Response): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return
  try {
    yield* answer.body as unknown as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw new FetchError(`the connection broke: ${(cause as Error).message}`, { temporary: true, cause })
  }
}

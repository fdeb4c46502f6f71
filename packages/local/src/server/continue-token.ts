import { badRequest } from './failures.ts'

/** Where a list goes on: behind a key, in the snapshot of a version (`-1`: whatever is latest then). */
export interface ContinueToken {
  readonly version: number
  readonly after: string
}

/** Base64url, in the form of apiserver's `meta.k8s.io/v1` token. */
export function writeContinueToken({ version, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${after}\0` })).toString('base64url')
}

/** Throws `ApiFailure` 400. */
export function readContinueToken(text: string): ContinueToken {
  let token: { v?: unknown; rv?: unknown; start?: unknown } | null
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (cause) {
    throw badRequest('invalid continue token: continue key is not valid: it is no token of this server', cause)
  }
  const { v, rv, start } = token ?? {}
  if (v !== 'meta.k8s.io/v1' || !Number.isInteger(rv) || typeof start !== 'string' || !start.endsWith('\0')) {
    throw badRequest('invalid continue token: continue key is not valid: it is no token of this server')
  }
  return { version: rv as number, after: start.slice(0, -1) }
}

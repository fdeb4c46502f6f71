import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiFailure } from '../api-failure.ts'
import { ADMIN, API_AUDIENCE, type Caller, serviceAccountCaller, type TokenAuthority } from '../caller.ts'
import { unauthorized } from '../failures.ts'

/** Lets a request in and says who sends it, or throws `ApiFailure`. */
export type Guard = (headers: IncomingHttpHeaders) => Caller

/** Lets in who shows the token, or one of a service account: enough where no browser can get to, as on a unix socket. */
export function createTokenGuard(token: string, tokens: TokenAuthority): Guard {
  const expected = digest(token)
  const admin: Caller = { ...ADMIN, tokens }
  return ({ authorization }) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (given === undefined) throw unauthorized()
    // digests have one length, so that comparing them tells nothing about the token
    if (timingSafeEqual(digest(given), expected)) return admin
    const claims = tokens.verify(given, Date.now())
    // one that was made for somebody else, who may pass it on, is none for this server
    if (claims === undefined || !claims.audiences.includes(API_AUDIENCE)) throw unauthorized()
    return serviceAccountCaller(claims, tokens)
  }
}

/**
 * Lets in who names this server and shows its token, or one of a service account. The name matters because a web page
 * whose own name suddenly points to 127.0.0.1 could otherwise talk to the server from a browser. `authority` is host and
 * port as in the server's URL.
 */
export function createGuard(token: string, tokens: TokenAuthority, authority: string, port: number): Guard {
  const hosts = new Set([authority, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
  const checkToken = createTokenGuard(token, tokens)
  return (headers) => {
    const { host } = headers
    if (host === undefined || !hosts.has(host.toLowerCase())) {
      throw new ApiFailure(
        403,
        'Forbidden',
        `forbidden: this server answers for ${[...hosts].join(', ')}, not for ${JSON.stringify(host ?? '')}`,
      )
    }
    return checkToken(headers)
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

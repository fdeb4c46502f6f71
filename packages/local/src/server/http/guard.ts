import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiFailure } from '../api-failure.ts'
import { unauthorized } from '../failures.ts'

/** Lets a request in or throws `ApiFailure`. */
export type Guard = (headers: IncomingHttpHeaders) => void

/**
 * Lets in who names this server and shows its token. The name matters because a web page whose own name suddenly points
 * to 127.0.0.1 could otherwise talk to the server from a browser. `authority` is host and port as in the server's URL.
 */
export function createGuard(token: string, authority: string, port: number): Guard {
  const hosts = new Set([authority, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
  const expected = digest(token)
  return ({ host, authorization }) => {
    if (host === undefined || !hosts.has(host.toLowerCase())) {
      throw new ApiFailure(
        403,
        'Forbidden',
        `forbidden: this server answers for ${[...hosts].join(', ')}, not for ${JSON.stringify(host ?? '')}`,
      )
    }
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    // digests have one length, so that comparing them tells nothing about the token
    if (given === undefined || !timingSafeEqual(digest(given), expected)) throw unauthorized()
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import type { TokenAuthority } from './caller.ts'

/** Makes tokens by the newest of several authorities, and reads those of all. */
export interface TokenKeyring extends TokenAuthority {
  add(authority: TokenAuthority): void
}

/** @param first makes tokens until another one is added */
export function createTokenKeyring(first: () => TokenAuthority): TokenKeyring {
  const authorities: TokenAuthority[] = []
  /** Most servers never make a token. */
  const all = (): readonly TokenAuthority[] => {
    if (authorities.length === 0) authorities.push(first())
    return authorities
  }
  return {
    add: (authority) => void authorities.push(authority),
    sign: (claims) => (all().at(-1) as TokenAuthority).sign(claims),
    verify(token, now) {
      for (const authority of all()) {
        const claims = authority.verify(token, now)
        if (claims !== undefined) return claims
      }
      return undefined
    },
  }
}

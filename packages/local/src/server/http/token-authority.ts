import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TokenAuthority, TokenClaims } from '../caller.ts'

const ISSUER = 'https://kubernetes.default.svc.cluster.local'
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** The parts of a service account's JWT that are read back. */
interface Payload {
  readonly iss: string
  readonly aud: readonly string[]
  readonly iat: number
  readonly exp: number
  readonly 'kubernetes.io': {
    readonly namespace: string
    readonly pod?: { readonly name: string; readonly uid: string } | undefined
    readonly serviceaccount: { readonly name: string; readonly uid: string }
  }
}

/** Tokens are JWTs signed with a key that comes from `secret`: they live as long as it does. */
export function createTokenAuthority(secret: string): TokenAuthority {
  const key = createHmac('sha256', secret).update('service account tokens').digest()
  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    sign({ namespace, name, uid, pod, audiences, issuedAt, expiresAt }) {
      const payload: Payload & { sub: string; nbf: number } = {
        iss: ISSUER,
        sub: `system:serviceaccount:${namespace}:${name}`,
        aud: audiences,
        iat: issuedAt,
        nbf: issuedAt,
        exp: expiresAt,
        'kubernetes.io': { namespace, pod, serviceaccount: { name, uid } },
      }
      const text = `${HEADER}.${encode(payload)}`
      return `${text}.${signatureOf(text).toString('base64url')}`
    },
    verify(token, now) {
      const [header, body, signature, ...more] = token.split('.')
      if (header !== HEADER || body === undefined || signature === undefined || more.length > 0) return undefined
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(`${header}.${body}`)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      // whoever knows the key wrote it
      const claims = claimsOf(JSON.parse(Buffer.from(body, 'base64url').toString()) as Payload)
      return claims.expiresAt * 1000 > now ? claims : undefined
    },
  }
}

function claimsOf({ aud, iat, exp, 'kubernetes.io': { namespace, pod, serviceaccount } }: Payload): TokenClaims {
  return { namespace, ...serviceaccount, pod, audiences: aud, issuedAt: iat, expiresAt: exp }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

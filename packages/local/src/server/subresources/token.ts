import { type ApiCall, writeParametersOf } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { ADMIN } from '../caller.ts'
import { badRequest, invalid, notFound } from '../failures.ts'
import { rfc3339 } from '../rfc3339.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'

const HOUR_SECONDS = 3600
const LEAST_SECONDS = 600
const MOST_SECONDS = 2 ** 32
const AUDIENCE = 'https://kubernetes.default.svc.cluster.local'

interface TokenRequestSpec {
  readonly audiences?: readonly string[]
  readonly expirationSeconds?: number
}

/** POST of a `TokenRequest`: a token with which a client is this service account. */
export function createToken(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, namespace = '', name = '', caller = ADMIN } = call
  writeParametersOf(call)
  const account = context.store.get(call.collection, storeKey(resource, namespace, name))
  if (account === undefined) throw notFound(resource, name)
  const { audiences, expirationSeconds } = specOf(call.body)
  if (caller.tokens === undefined) {
    throw badRequest('tokens are given out by a server that listens: there is none for requests in its own process')
  }
  const issuedAt = Math.floor(context.clock.now() / 1000)
  const token = caller.tokens.sign({
    namespace,
    name,
    uid: account.metadata.uid ?? '',
    audiences,
    issuedAt,
    expiresAt: issuedAt + expirationSeconds,
  })
  const request = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: rfc3339(context.clock.now()) },
    spec: { audiences, expirationSeconds, boundObjectRef: null },
    status: { token, expirationTimestamp: rfc3339((issuedAt + expirationSeconds) * 1000) },
  }
  return jsonResponse(request, 201)
}

function specOf(body: unknown): Required<TokenRequestSpec> {
  const { spec } = (body ?? {}) as { spec?: TokenRequestSpec | null }
  const audiences = spec?.audiences ?? []
  const expirationSeconds = spec?.expirationSeconds ?? HOUR_SECONDS
  if (!Array.isArray(audiences) || !audiences.every((one) => typeof one === 'string')) {
    throw badRequest('spec.audiences of a TokenRequest must be a list of strings')
  }
  if (!Number.isInteger(expirationSeconds)) {
    throw badRequest('spec.expirationSeconds of a TokenRequest must be a whole number')
  }
  if (expirationSeconds < LEAST_SECONDS) throw wrongDuration(expirationSeconds, 'less than 10 minutes')
  if (expirationSeconds > MOST_SECONDS) throw wrongDuration(expirationSeconds, 'larger than 2^32 seconds')
  return { audiences: audiences.length === 0 ? [AUDIENCE] : audiences, expirationSeconds }
}

function wrongDuration(seconds: number, what: string): Error {
  return invalid({ kind: 'TokenRequest', group: 'authentication.k8s.io' }, '', [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.expirationSeconds',
      message: `Invalid value: ${seconds}: may not specify a duration ${what}`,
    },
  ])
}

import { type ApiCall, writeParametersOf } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { ADMIN, API_AUDIENCE } from '../caller.ts'
import { badRequest, conflict, invalid, notFound } from '../failures.ts'
import { rfc3339 } from '../rfc3339.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'

const HOUR_SECONDS = 3600
const LEAST_SECONDS = 600
const MOST_SECONDS = 2 ** 32

interface TokenRequestSpec {
  readonly audiences?: readonly string[]
  readonly expirationSeconds?: number
  readonly boundObjectRef?: BoundObject | null
}

interface BoundObject {
  readonly kind?: string
  readonly name?: string
  readonly uid?: string
}

/** POST of a `TokenRequest`: a token with which a client is this service account. */
export function createToken(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, namespace = '', name = '', caller = ADMIN } = call
  writeParametersOf(call)
  const account = context.store.get(call.collection, storeKey(resource, namespace, name))
  if (account === undefined) throw notFound(resource, name)
  const { audiences, expirationSeconds, boundObjectRef } = specOf(call.body)
  const pod = boundObjectRef === null ? undefined : boundPod(context, namespace, boundObjectRef)
  if (caller.tokens === undefined) {
    throw badRequest('tokens are given out by a server that listens: there is none for requests in its own process')
  }
  const issuedAt = Math.floor(context.clock.now() / 1000)
  const token = caller.tokens.sign({
    namespace,
    name,
    uid: account.metadata.uid ?? '',
    pod,
    audiences,
    issuedAt,
    expiresAt: issuedAt + expirationSeconds,
  })
  const request = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: rfc3339(context.clock.now()) },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: { token, expirationTimestamp: rfc3339((issuedAt + expirationSeconds) * 1000) },
  }
  return jsonResponse(request, 201)
}

/** The pod that a token ends with. */
function boundPod(context: ServerContext, namespace: string, bound: BoundObject): { name: string; uid: string } {
  const { kind, name = '', uid } = bound
  if (kind !== 'Pod') throw badRequest(`cannot bind token to object of type ${kind}: tokens end with pods here`)
  const found = context.store.get('pods', `${namespace}/${name}`)?.metadata.uid
  if (found === undefined) throw notFound({ group: '', plural: 'pods' }, name)
  if (uid !== undefined && uid !== found) {
    throw conflict(
      { group: '', plural: 'pods' },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  }
  return { name, uid: found }
}

function specOf(body: unknown): Required<TokenRequestSpec> {
  const { spec } = (body ?? {}) as { spec?: TokenRequestSpec | null }
  const audiences = spec?.audiences ?? []
  const expirationSeconds = spec?.expirationSeconds ?? HOUR_SECONDS
  const boundObjectRef = spec?.boundObjectRef ?? null
  if (!Array.isArray(audiences) || !audiences.every((one) => typeof one === 'string')) {
    throw badRequest('spec.audiences of a TokenRequest must be a list of strings')
  }
  if (!Number.isInteger(expirationSeconds)) {
    throw badRequest('spec.expirationSeconds of a TokenRequest must be a whole number')
  }
  if (expirationSeconds < LEAST_SECONDS) throw wrongDuration(expirationSeconds, 'less than 10 minutes')
  if (expirationSeconds > MOST_SECONDS) throw wrongDuration(expirationSeconds, 'larger than 2^32 seconds')
  return { audiences: audiences.length === 0 ? [API_AUDIENCE] : audiences, expirationSeconds, boundObjectRef }
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

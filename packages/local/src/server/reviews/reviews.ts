import { apiVersionOf } from '@trainjob/kube'
import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { ADMIN, type Caller, serviceAccountCaller } from '../caller.ts'
import { invalidValue } from '../causes.ts'
import { badRequest, type Cause, invalid } from '../failures.ts'
import type { ServerContext } from '../server-context.ts'

/** Answers a question that is asked by creating an object which is not kept. */
type Review = (context: ServerContext, spec: Record<string, unknown>, caller: Caller) => object

/** There are no roles here: whoever shows a token may do everything. */
const ALLOWED = { allowed: true, reason: 'this cluster lets everyone who shows a token of it do everything' }

const REVIEWS: Readonly<Record<string, Review>> = {
  SelfSubjectAccessReview: (_, spec) => accessReview(attributeFaults(spec)),
  SubjectAccessReview: (_, spec) => accessReview([...attributeFaults(spec), ...subjectFaults(spec)]),
  LocalSubjectAccessReview: (_, spec) => accessReview([...attributeFaults(spec), ...subjectFaults(spec)]),
  SelfSubjectRulesReview: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
  SelfSubjectReview: (_, __, caller) => ({ userInfo: userInfo(caller) }),
  TokenReview: ({ clock, store }, { token }, { tokens }) => {
    if (!token) throw badRequest('token is required for TokenReview in authentication')
    const claims = typeof token === 'string' ? tokens?.verify(token, clock.now()) : undefined
    const account = claims && store.get('serviceaccounts', `${claims.namespace}/${claims.name}`)
    if (claims === undefined || tokens === undefined || account?.metadata.uid !== claims.uid) {
      return { user: {}, error: 'the token is none of this cluster, or it has expired' }
    }
    const user = userInfo(serviceAccountCaller(claims, tokens))
    return { authenticated: true, user, audiences: claims.audiences }
  },
}

/** Throws `ApiFailure` 422. */
function accessReview(causes: readonly Cause[]): object {
  if (causes.length > 0) throw invalid({ kind: '', group: 'authorization.k8s.io' }, '', causes)
  return ALLOWED
}

function attributeFaults({ resourceAttributes, nonResourceAttributes }: Record<string, unknown>): readonly Cause[] {
  const rule = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalidValue(
        'spec.nonResourceAttributes',
        nonResourceAttributes,
        `cannot be specified in combination with resourceAttributes`,
      ),
    ]
  }
  return resourceAttributes || nonResourceAttributes ? [] : [invalidValue('spec.resourceAttributes', null, rule)]
}

function subjectFaults({ user, groups }: Record<string, unknown>): readonly Cause[] {
  if (user || (Array.isArray(groups) && groups.length > 0)) return []
  return [invalidValue('spec.user', user ?? '', 'at least one of user or group must be specified')]
}

function userInfo({ username, uid, groups }: Caller): object {
  return { username, ...(uid !== undefined && { uid }), groups }
}

/** POST of a review: the object comes back with an answer in its status. */
export function review(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, body, caller = ADMIN } = call
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): expected a JSON object`)
  }
  const { kind, spec } = body as { kind?: unknown; spec?: unknown }
  if (kind !== undefined && kind !== '' && kind !== resource.kind) {
    throw badRequest(`expected an object of kind ${resource.kind}, found ${JSON.stringify(kind)}`)
  }
  const asked = typeof spec === 'object' && spec !== null ? (spec as Record<string, unknown>) : {}
  const status = REVIEWS[resource.kind]?.(context, asked, caller)
  const answer = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata: {}, spec: asked, status }
  return jsonResponse(answer, 201)
}

/** Whether objects of this kind are questions and not kept. */
export function isReview({ group, kind }: Pick<ApiCall['resource'], 'group' | 'kind'>): boolean {
  return (group === 'authorization.k8s.io' || group === 'authentication.k8s.io') && Object.hasOwn(REVIEWS, kind)
}

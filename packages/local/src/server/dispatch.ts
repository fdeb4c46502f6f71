import type { TransportRequest } from '@trainjob/kube'
import type { ApiCall } from './api-call.ts'
import type { ApiResponse } from './api-response.ts'
import type { Caller } from './caller.ts'
import { asRead } from './crd/as-read.ts'
import type { Duplicates } from './decode/duplicates.ts'
import { discover } from './discovery.ts'
import { badRequest, methodNotAllowed } from './failures.ts'
import { healthAnswer } from './health.ts'
import { bodyInStoredNames, inClientsNames } from './other-names.ts'
import { booleanOf } from './query.ts'
import { isReview, review } from './reviews/reviews.ts'
import { type Route, routeOf } from './route.ts'
import { collectionOf } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'
import { bindPod } from './subresources/binding.ts'
import { evictPod } from './subresources/eviction.ts'
import { podLog } from './subresources/log.ts'
import { getScale, patchScale, updateScale } from './subresources/scale.ts'
import { createToken } from './subresources/token.ts'
import { inForm } from './table/in-form.ts'
import { create } from './verbs/create.ts'
import { remove, removeCollection } from './verbs/delete.ts'
import { getObject } from './verbs/get.ts'
import { listObjects } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { update } from './verbs/update.ts'
import { watchObjects } from './verbs/watch.ts'

type Answer = ApiResponse | Promise<ApiResponse>
type Verb = (context: ServerContext, call: ApiCall) => Answer
type Verbs = Readonly<Partial<Record<TransportRequest['method'], Verb>>>

const COLLECTION: Verbs = {
  GET: (context, call) =>
    inForm(context, call, call.watch === true || booleanOf(call.query.watch) ? watchObjects : listObjects),
  POST: create,
  DELETE: removeCollection,
}
const OBJECT: Verbs = {
  GET: (context, call) => inForm(context, call, getObject),
  PUT: update,
  PATCH: patch,
  DELETE: remove,
}
const SUBRESOURCES: Readonly<Record<string, Verbs>> = {
  status: { GET: getObject, PUT: update, PATCH: patch },
  finalize: { PUT: update },
  binding: { POST: bindPod },
  eviction: { POST: evictPod },
  log: { GET: podLog },
  exec: { GET: upgradeRequired, POST: upgradeRequired },
  attach: { GET: upgradeRequired, POST: upgradeRequired },
  portforward: { GET: upgradeRequired, POST: upgradeRequired },
  token: { POST: createToken },
  scale: { GET: getScale, PUT: updateScale, PATCH: patchScale },
}

/** Finds what a request is about and serves it. Throws `ApiFailure`. */
export function dispatch(
  context: ServerContext,
  request: TransportRequest,
  caller: Caller,
  duplicates?: Duplicates,
): Answer {
  const { method, path, query = NOTHING, headers = NOTHING, body, signal } = request
  if (method === 'GET') {
    const answer =
      healthAnswer(context, path, query) ??
      discover(context.registry, path, headers.accept ?? '') ??
      context.openApi.answer(context.registry, path, headers.accept ?? '')
    if (answer !== undefined) return answer
  }
  const route = routeOf(path, context.registry)
  const verb = verbsOf(route)[method]
  if (verb === undefined) throw methodNotAllowed()
  const { resource } = route
  const { fieldNames } = resource
  const answer = verb(context, {
    ...route,
    caller,
    method,
    query,
    headers,
    body: fieldNames === undefined ? body : bodyInStoredNames({ body, headers }, fieldNames),
    duplicates,
    collection: collectionOf(resource),
    ...(signal !== undefined && { signal }),
  })
  if (resource.sharesStorage !== true && resource.fillsReads !== true) return answer
  const read = (response: ApiResponse): ApiResponse => {
    const stored = asRead(response, resource)
    return fieldNames === undefined ? stored : inClientsNames(stored, resource.kind, fieldNames)
  }
  return answer instanceof Promise ? answer.then(read) : read(answer)
}

const NOTHING: Readonly<Record<string, string>> = {}

const REVIEW: Verbs = { POST: review }

function verbsOf({ resource, name, subresource }: Route): Verbs {
  if (isReview(resource)) return name === undefined ? REVIEW : {}
  if (name === undefined) return COLLECTION
  return subresource === undefined ? OBJECT : (SUBRESOURCES[subresource] ?? {})
}

/** A listener serves these itself once the connection is upgraded. */
function upgradeRequired(): never {
  throw badRequest('Upgrade request required')
}

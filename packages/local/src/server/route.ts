import { ApiFailure } from './api-failure.ts'
import { badRequest, noSuchResource } from './failures.ts'
import type { Registry } from './registry.ts'
import type { ServedResource } from './served-resource.ts'

/** What a path under `/api` or `/apis` names. */
export interface Route {
  readonly resource: ServedResource
  /** Left out for all namespaces and for kinds without one. */
  readonly namespace?: string
  /** Left out for the whole collection. */
  readonly name?: string
  readonly subresource?: string
  /** The old form of a watch, `/api/v1/watch/…`. */
  readonly watch?: true
}

/** Finds out what a path names. Throws `ApiFailure` 404 when that is not served. */
export function routeOf(path: string, registry: Registry): Route {
  const parts = path.split('/')
  if (parts[0] !== '') throw pageNotFound()
  if (parts.at(-1) === '' && parts.length > 2) parts.pop()
  const core = parts[1] === 'api'
  if (!core && parts[1] !== 'apis') throw pageNotFound()
  const group = core ? '' : (parts[2] ?? '')
  const version = parts[core ? 2 : 3] ?? ''
  if (!registry.hasGroupVersion(group, version)) throw pageNotFound()
  let rest = parts.slice(core ? 3 : 4).map(decode)
  const watch = rest[0] === 'watch' ? { watch: true as const } : {}
  if (rest[0] === 'watch') rest = rest.slice(1)

  const [first, second, third] = rest
  if (first === 'namespaces' && second !== undefined && third !== undefined) {
    const resource = registry.find(group, version, third)
    if (resource?.namespaced === true) return { ...target(resource, rest.slice(3)), namespace: second, ...watch }
  }
  const resource = registry.find(group, version, first ?? '')
  if (resource === undefined || (resource.namespaced && rest.length > 1)) {
    // unknown kinds of groups that come from custom resource definitions are no resources but unknown paths
    if (registry.resources.some((other) => other.group === group && other.custom === true)) throw pageNotFound()
    throw noSuchResource()
  }
  return { ...target(resource, rest.slice(1)), ...watch }
}

function target(resource: ServedResource, [name, ...sub]: readonly string[]): Route {
  if (name === undefined) return { resource }
  if (sub.length === 0) return { resource, name }
  const subresource = sub.join('/')
  if (resource.subresources?.includes(subresource) !== true) {
    if (resource.custom === true && subresource !== 'scale') throw pageNotFound()
    throw noSuchResource()
  }
  return { resource, name, subresource }
}

function decode(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw badRequest(`the path holds "${part}", which is not percent-encoded UTF-8`, cause)
  }
}

/** Paths outside the API get plain text, as from the real server. */
export class PageNotFound extends ApiFailure {}

function pageNotFound(): PageNotFound {
  return new PageNotFound(404, 'NotFound', '404 page not found\n')
}

import { type ApiResponse, jsonResponse } from '../api-response.ts'
import type { Registry } from '../registry.ts'
import type { ServedResource } from '../served-resource.ts'

/** Answers `/openapi/v3` and what is below it. */
export interface OpenApi {
  /** `undefined` for other paths. */
  answer(registry: Registry, path: string): Promise<ApiResponse> | ApiResponse | undefined
}

const ROOT = '/openapi/v3'

/** Documents are made when they are first asked for, and again when the kinds of their group version have changed. */
export function createOpenApi(): OpenApi {
  const made = new Map<string, { readonly of: string; readonly document: Promise<object> }>()

  async function documentOf(path: string, resources: readonly ServedResource[]): Promise<ApiResponse> {
    const of = JSON.stringify(resources)
    let known = made.get(path)
    if (known?.of !== of) {
      // clients ask at the same time; all wait for one
      known = { of, document: import('./document.ts').then(({ openApiDocument }) => openApiDocument(resources)) }
      made.set(path, known)
    }
    return jsonResponse(await known.document)
  }

  return {
    answer(registry, path) {
      if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined
      const groups = Map.groupBy(registry.resources, pathOf)
      const wanted = path.slice(ROOT.length + 1).replace(/\/$/, '')
      if (wanted === '') return jsonResponse({ paths: index(groups.keys()) })
      const resources = groups.get(wanted)
      return resources === undefined ? undefined : documentOf(wanted, resources)
    },
  }
}

function pathOf({ group, version }: ServedResource): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

function index(paths: Iterable<string>): object {
  return Object.fromEntries([...paths].map((path) => [path, { serverRelativeURL: `${ROOT}/${path}` }]))
}

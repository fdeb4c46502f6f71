import { type ApiResponse, jsonResponse } from '../api-response.ts'
import type { Registry } from '../registry.ts'
import type { ServedResource } from '../served-resource.ts'

/** Answers `/openapi/v3` and what is below it, and `/openapi/v2`. */
export interface OpenApi {
  /** `undefined` for other paths. */
  answer(registry: Registry, path: string, accept: string): Promise<ApiResponse> | ApiResponse | undefined
}

const ROOT = '/openapi/v3'
const V2 = '/openapi/v2'
const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

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
    answer(registry, path, accept) {
      if (path === V2) return version2(registry.resources, accept)
      if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined
      const groups = Map.groupBy(registry.resources, pathOf)
      const wanted = path.slice(ROOT.length + 1).replace(/\/$/, '')
      if (wanted === '') return jsonResponse({ paths: index(groups.keys()) })
      const resources = groups.get(wanted)
      return resources === undefined ? undefined : documentOf(wanted, resources)
    },
  }
}

async function version2(resources: readonly ServedResource[], accept: string): Promise<ApiResponse> {
  const { openApiV2, openApiV2Protobuf } = await import('./document-v2.ts')
  if (!accept.includes('proto-openapi.spec.v2')) return jsonResponse(await openApiV2(resources))
  const bytes = openApiV2Protobuf(resources)
  return { status: 200, headers: { 'content-type': V2_PROTOBUF }, body: { type: 'bytes', chunks: once(bytes) } }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function pathOf({ group, version }: ServedResource): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

function index(paths: Iterable<string>): object {
  return Object.fromEntries([...paths].map((path) => [path, { serverRelativeURL: `${ROOT}/${path}` }]))
}

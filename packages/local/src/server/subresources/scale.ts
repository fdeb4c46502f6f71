import type { KubeObject } from '@trainjob/kube'
import { type ApiCall, type WriteParameters, writeParametersOf } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { trackScale } from '../apply/track-scale.ts'
import { type Cause, conflict, invalid, noSuchResource, notFound, unsupportedMediaType } from '../failures.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { replaceObject } from '../replace-object.ts'
import { type ScalePaths, storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { reviewedContent } from '../webhooks/reviewed-content.ts'
import { reviewedWrite } from '../webhooks/reviewed-write.ts'
import { NO_WEBHOOKS } from '../webhooks/webhooks.ts'

/** What all kinds that can be scaled look like from outside (`autoscaling/v1`). */
interface Scale {
  readonly kind: 'Scale'
  readonly apiVersion: 'autoscaling/v1'
  readonly metadata: object
  readonly spec: { readonly replicas: number }
  readonly status: { readonly replicas: number; readonly selector?: string }
}

/** GET of an object's scale. */
export function getScale(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, namespace = '', name = '', collection } = call
  const object = context.store.get(collection, storeKey(resource, namespace, name))
  if (object === undefined) throw notFound(resource, name)
  return jsonResponse(scaleOf(object, pathsOf(call)))
}

/** PUT of an object's scale. */
export function updateScale(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  return write(context, call, () => call.body)
}

/** PATCH of an object's scale: merge patches (a strategic one means the same here) and JSON patches. */
export function patchScale(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? ''
  if (type === JSON_PATCH) return write(context, call, (scale) => applyJsonPatch(scale, call.body))
  if (!MERGE_PATCHES.includes(type)) throw unsupportedMediaType([JSON_PATCH, ...MERGE_PATCHES])
  return write(context, call, (scale) => applyMergePatch(scale, call.body))
}

const JSON_PATCH = 'application/json-patch+json'
const MERGE_PATCHES = ['application/merge-patch+json', 'application/strategic-merge-patch+json']

async function write(context: ServerContext, call: ApiCall, change: (scale: Scale) => unknown): Promise<ApiResponse> {
  const paths = pathsOf(call)
  const { subresource: _, ...whole } = call
  const parameters = writeParametersOf(call)
  const asked = await askAboutScale(context, call, change, parameters)
  const { object } = await replaceObject(
    // whoever is to be asked was asked about the scale, and is not asked about the whole object
    { ...context, webhooks: NO_WEBHOOKS },
    whole,
    (current) => {
      const scale = asked ?? (change(scaleOf(current, paths)) as Partial<Scale> | null)
      const { resourceVersion } = (scale?.metadata ?? {}) as KubeObject['metadata']
      if (resourceVersion && resourceVersion !== current.metadata.resourceVersion) {
        throw conflict(call.resource, current.metadata.name ?? '')
      }
      const replicas = replicasOf(scale, call)
      if (replicas === valueAt(current, paths.spec)) return { object: current }
      const scaled = withValueAt(current, paths.spec, replicas) as KubeObject
      return { object: trackScale(call.resource, scaled, parameters.manager, paths.spec), owned: true }
    },
    parameters,
  )
  return jsonResponse(scaleOf(object, paths))
}

/** What webhooks make of a scale; `undefined` when none is asked. Throws `ApiFailure`. */
async function askAboutScale(
  context: ServerContext,
  call: ApiCall,
  change: (scale: Scale) => unknown,
  { dryRun, warnings }: WriteParameters,
): Promise<Scale | undefined> {
  const { resource, namespace = '', name = '', collection } = call
  const write = { ...reviewedWrite(call, 'UPDATE', name, dryRun), content: { ...SCALE, version: 'v1' } }
  if (!context.webhooks.concern(write)) return undefined
  const current = context.store.get(collection, storeKey(resource, namespace, name))
  if (current === undefined) throw notFound(resource, name)
  const before = scaleOf(current, pathsOf(call))
  return (await reviewedContent(context, write, change(before) as Scale, before, warnings)) as Scale
}

function replicasOf(scale: Partial<Scale> | null, { name = '' }: ApiCall): number {
  const replicas: unknown = scale?.spec?.replicas
  const wrong = (message: string): Cause => ({ reason: 'FieldValueInvalid', field: 'spec.replicas', message })
  if (!Number.isInteger(replicas)) {
    throw invalid(SCALE, name, [wrong(`Invalid value: ${JSON.stringify(replicas) ?? 'null'}: must be an integer`)])
  }
  if ((replicas as number) < 0) {
    throw invalid(SCALE, name, [wrong(`Invalid value: ${replicas}: must be greater than or equal to 0`)])
  }
  return replicas as number
}

const SCALE = { kind: 'Scale', group: 'autoscaling' }

function pathsOf({ resource }: ApiCall): ScalePaths {
  if (resource.scale === undefined) throw noSuchResource()
  return resource.scale
}

function scaleOf(object: KubeObject, { spec, status, selector }: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const labels = selector === undefined ? undefined : valueAt(object, selector)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, spec) },
    status: { replicas: numberAt(object, status), ...(typeof labels === 'string' && { selector: labels }) },
  }
}

function numberAt(object: KubeObject, path: string): number {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : 0
}

/** Paths are simple here: names with dots in front. */
function valueAt(object: unknown, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], object)
}

function withValueAt(object: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.').slice(1)
  const child = (object as Record<string, unknown> | undefined)?.[name]
  return {
    ...(object as object | undefined),
    [name]: rest.length === 0 ? value : withValueAt(child, `.${rest.join('.')}`, value),
  }
}

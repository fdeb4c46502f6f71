import type { KubeObject } from '@trainjob/kube'
import { ADMIN, type Caller } from '../caller.ts'

/** A kind in one of its versions, and where it is served. */
export interface ReviewedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
}

/** One write as webhooks are told of it. */
export interface ReviewedWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  /** As the request named it. */
  readonly resource: ReviewedKind & { readonly namespaced: boolean }
  /** What the request carries, where that is of another kind, as a `Scale`. */
  readonly content?: { readonly group: string; readonly version: string; readonly kind: string }
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  /** Left out as long as the name is not made up. */
  readonly name?: string | undefined
  readonly caller?: Caller | undefined
  readonly dryRun: boolean
  /** `CreateOptions` and the like. */
  readonly options: object | null
  readonly signal?: AbortSignal | undefined
}

/** What a webhook is asked: the `request` of an AdmissionReview but for its objects. */
export function reviewRequest(write: ReviewedWrite, matched: ReviewedKind): Record<string, unknown> {
  const { resource, content, subresource, namespace, name, caller = ADMIN } = write
  const kindOf = ({ group, version, kind }: { group: string; version: string; kind: string }): object => ({
    group,
    version,
    kind,
  })
  const resourceOf = ({ group, version, plural }: ReviewedKind): object => ({ group, version, resource: plural })
  return {
    kind: kindOf(content ?? matched),
    resource: resourceOf(matched),
    ...(subresource !== undefined && { subResource: subresource }),
    requestKind: kindOf(content ?? resource),
    requestResource: resourceOf(resource),
    ...(subresource !== undefined && { requestSubResource: subresource }),
    ...(name !== undefined && name !== '' && { name }),
    ...(namespace !== undefined && { namespace }),
    operation: write.operation,
    userInfo: {
      username: caller.username,
      ...(caller.uid !== undefined && { uid: caller.uid }),
      groups: caller.groups,
    },
    dryRun: write.dryRun,
    options: write.options,
  }
}

/** What a webhook said. */
export interface ReviewAnswer {
  readonly allowed: boolean
  readonly status: Record<string, unknown> | undefined
  readonly warnings: readonly string[]
  /** Operations of a JSON patch. */
  readonly patch: readonly unknown[]
}

/** What an answer is not. */
export class ReviewFault extends Error {}

/**
 * Reads the AdmissionReview that a webhook answered (source: apiserver, plugin/webhook/request). Throws `ReviewFault`.
 *
 * @param version of the review that was sent
 */
export function readReview(answer: unknown, uid: string, version: string, mutating: boolean): ReviewAnswer {
  const { apiVersion, kind, response } = (answer ?? {}) as {
    apiVersion?: string
    kind?: string
    response?: Record<string, unknown>
  }
  if (response === undefined || response === null) throw new ReviewFault('webhook response was absent')
  const { patch, patchType } = response as { patch?: string; patchType?: string }
  if (version === 'v1') {
    if (response.uid !== uid) {
      throw new ReviewFault(`expected response.uid="${uid}", got ${JSON.stringify(response.uid ?? '')}`)
    }
    if (apiVersion !== 'admission.k8s.io/v1' || kind !== 'AdmissionReview') {
      throw new ReviewFault(
        `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${apiVersion ?? '/'}, Kind=${kind ?? ''}`,
      )
    }
    checkPatch(patch, patchType, mutating)
  }
  const warnings = Array.isArray(response.warnings) ? response.warnings.map(String) : []
  const status = response.status as Record<string, unknown> | undefined
  return {
    allowed: response.allowed === true,
    status,
    warnings,
    patch: mutating && patch ? operationsOf(patch) : [],
  }
}

function checkPatch(patch: string | undefined, patchType: string | undefined, mutating: boolean): void {
  if (!mutating) {
    if (patch) throw new ReviewFault('validating webhook may not return response.patch')
    if (patchType !== undefined) throw new ReviewFault('validating webhook may not return response.patchType')
    return
  }
  if (patch && patchType === undefined) {
    throw new ReviewFault('webhook returned response.patch but not response.patchType')
  }
  if (!patch && patchType !== undefined) {
    throw new ReviewFault('webhook returned response.patchType but not response.patch')
  }
  if (patchType !== undefined && patchType !== 'JSONPatch') {
    throw new ReviewFault(`unsupported patch type ${JSON.stringify(patchType)}`)
  }
}

function operationsOf(patch: string): readonly unknown[] {
  try {
    const operations: unknown = JSON.parse(Buffer.from(patch, 'base64').toString())
    if (operations === null) return []
    if (Array.isArray(operations)) return operations
  } catch (cause) {
    throw new ReviewFault(`received undecodable patch in webhook response: ${(cause as Error).message}`, { cause })
  }
  throw new ReviewFault('received undecodable patch in webhook response: expected a list of operations')
}

/** An object in the version that a webhook reads. */
export function inReviewedVersion(object: KubeObject | null, { group, version }: ReviewedKind): KubeObject | null {
  if (object === null) return null
  const apiVersion = group === '' ? version : `${group}/${version}`
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}

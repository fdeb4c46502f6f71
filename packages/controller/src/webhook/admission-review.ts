import type { Issue, KubernetesObject } from '@trainjob/api'
import type { AdmissionHook, AdmissionRequest, AdmissionVerdict } from '../admission/hook.ts'
import { jsonDiff } from './json-diff.ts'

/** What a server asks of a webhook: `admission.k8s.io/v1`, as far as hooks look at it. */
export interface AdmissionReview {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly request: {
    readonly uid: string
    readonly operation: AdmissionRequest['operation'] | 'CONNECT'
    readonly subResource?: string
    readonly dryRun?: boolean
    /** Without those of DELETE. */
    readonly object?: KubernetesObject | null
    readonly oldObject?: KubernetesObject | null
  }
}

/** What a webhook answers. */
export interface AdmissionReviewAnswer {
  readonly apiVersion: 'admission.k8s.io/v1'
  readonly kind: 'AdmissionReview'
  readonly response: {
    readonly uid: string
    readonly allowed: boolean
    /** Base64 of a JSON Patch. */
    readonly patch?: string
    readonly patchType?: 'JSONPatch'
    readonly warnings?: readonly string[]
    readonly status?: {
      readonly code: number
      readonly reason: string
      readonly message: string
      readonly details?: object
    }
  }
}

/** The two moments at which a server asks. */
export type AdmissionPhase = 'mutate' | 'validate'

/** Servers cut longer warnings off. */
const MAX_WARNING_LENGTH = 256

/** Lets a hook answer a review. What it throws is answered as a failure of the server, so that the client tries again. */
export async function answerReview(
  hook: AdmissionHook,
  phase: AdmissionPhase,
  { apiVersion, kind, request: { uid, ...request } }: AdmissionReview,
): Promise<AdmissionReviewAnswer> {
  const answer = (response: Omit<AdmissionReviewAnswer['response'], 'uid'>): AdmissionReviewAnswer => ({
    apiVersion,
    kind,
    response: { uid, ...response },
  })
  const asked = requestOf(request)
  if (asked === undefined) return answer({ allowed: true })
  try {
    if (phase === 'validate') return answer(verdictOf(hook.resource, asked, await hook.validate?.(asked)))
    const patch = jsonDiff(asked.object, (await hook.mutate?.(asked)) ?? asked.object)
    if (patch.length === 0) return answer({ allowed: true })
    return answer({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return answer({ allowed: false, status: { code: 500, reason: 'InternalError', message } })
  }
}

/** An object that goes stands in `oldObject`; of a connection there is none. */
function requestOf({
  operation,
  subResource,
  dryRun = false,
  object,
  oldObject,
}: Omit<AdmissionReview['request'], 'uid'>): AdmissionRequest | undefined {
  const about = object ?? oldObject
  if (operation === 'CONNECT' || about === undefined || about === null) return undefined
  return {
    operation,
    object: about,
    dryRun,
    ...(subResource !== undefined && subResource !== '' && { subresource: subResource }),
    ...(oldObject !== undefined && oldObject !== null && { oldObject }),
  }
}

function verdictOf(
  { group, kind }: AdmissionHook['resource'],
  { object }: AdmissionRequest,
  { errors, warnings }: AdmissionVerdict = { errors: [], warnings: [] },
): Omit<AdmissionReviewAnswer['response'], 'uid'> {
  const noted = warnings.length === 0 ? {} : { warnings: warnings.map(shortened) }
  if (errors.length === 0) return { allowed: true, ...noted }
  const { name = '' } = object.metadata
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const status = {
    code: 422,
    reason: 'Invalid',
    message: `${kind}.${group} "${name}" is invalid: ${list}`,
    details: { name, group, kind, causes: errors.map(causeOf) },
  }
  return { allowed: false, ...noted, status }
}

function causeOf({ path, message }: Issue): object {
  return { reason: 'FieldValueInvalid', field: path, message }
}

function shortened(text: string): string {
  return text.length <= MAX_WARNING_LENGTH ? text : `${text.slice(0, MAX_WARNING_LENGTH - 1)}…`
}

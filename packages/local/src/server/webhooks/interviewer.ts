import type { Agent } from 'node:https'
import type { KubeObject } from '@trainjob/kube'
import type { Store } from '../../store/store.ts'
import type { StreamSource } from '../exec/stream-source.ts'
import { forbidden, internal, notFound } from '../failures.ts'
import type { Ids } from '../ids.ts'
import { matchesLabels } from '../selectors/label-selector.ts'
import {
  inReviewedVersion,
  type ReviewAnswer,
  type ReviewedWrite,
  ReviewFault,
  readReview,
  reviewRequest,
} from './admission-review.ts'
import { CallFault, callWebhook } from './call-webhook.ts'
import { rejection } from './rejection.ts'
import { serviceDialer } from './service-dialer.ts'
import { type Candidate, selectsAll } from './webhook-source.ts'

/** An object before and after a write; one of them is missing when it comes or goes. */
export interface Reviewed {
  readonly object: KubeObject | null
  readonly oldObject: KubeObject | null
}

/** Asks one webhook. */
export interface Interviewer {
  /** What rules cannot say: labels, and conditions. Throws `ApiFailure`. */
  wantsToKnow(candidate: Candidate, write: ReviewedWrite, reviewed: Reviewed): Promise<boolean>
  /** What a webhook says; `undefined` when it cannot be asked and that is no matter. Throws `ApiFailure`. */
  ask(
    candidate: Candidate,
    write: ReviewedWrite,
    reviewed: Reviewed,
    mutating: boolean,
  ): Promise<ReviewAnswer | undefined>
}

/** What asking webhooks stands on. */
export interface InterviewerOptions {
  readonly store: Store
  readonly ids: Ids
  readonly streams: StreamSource | undefined
}

/** Keeps connections between calls. */
export function createInterviewer({ store, ids, streams }: InterviewerOptions): Interviewer {
  const agents = new Map<string, Agent>()
  const dial = serviceDialer(store, streams)
  return { wantsToKnow, ask }

  async function wantsToKnow(candidate: Candidate, write: ReviewedWrite, reviewed: Reviewed): Promise<boolean> {
    const { webhook } = candidate.registered
    const { namespaceSelector, objectSelector, matchConditions = [] } = webhook
    const { object, oldObject } = reviewed
    if (!selectsAll(objectSelector)) {
      const selected = [object, oldObject].some(
        (one) => one !== null && matchesLabels(objectSelector ?? {}, one.metadata.labels),
      )
      if (!selected) return false
    }
    if (!selectsAll(namespaceSelector)) {
      const labels = namespaceLabels(write, reviewed)
      if (labels !== undefined && !matchesLabels(namespaceSelector ?? {}, labels)) return false
    }
    return matchConditions.length === 0 || holdsConditions(candidate, write, reviewed)
  }

  /** `undefined` for what is in no namespace. Throws `ApiFailure` 404. */
  function namespaceLabels(
    { resource, namespace }: ReviewedWrite,
    { object, oldObject }: Reviewed,
  ): Readonly<Record<string, string>> | undefined {
    if (resource.group === '' && resource.plural === 'namespaces') return (object ?? oldObject)?.metadata.labels ?? {}
    if (namespace === undefined) return undefined
    const found = store.get('namespaces', namespace)
    if (found === undefined) throw notFound({ plural: 'namespaces', group: '' }, namespace)
    return found.metadata.labels ?? {}
  }

  async function holdsConditions(
    { registered, matched }: Candidate,
    write: ReviewedWrite,
    { object, oldObject }: Reviewed,
  ): Promise<boolean> {
    const { matchConditions = [], failurePolicy } = registered.webhook
    registered.conditions ??= import('./match-conditions.ts').then(({ compileConditions }) =>
      compileConditions(matchConditions),
    )
    const verdict = (await registered.conditions)({
      object: inReviewedVersion(object, matched),
      oldObject: inReviewedVersion(oldObject, matched),
      request: reviewRequest(write, matched),
    })
    if ('matches' in verdict) return verdict.matches
    if (failurePolicy === 'Ignore') return false
    throw forbidden(write.resource, write.name ?? '', verdict.fault)
  }

  async function ask(
    { registered: { webhook }, matched }: Candidate,
    write: ReviewedWrite,
    { object, oldObject }: Reviewed,
    mutating: boolean,
  ): Promise<ReviewAnswer | undefined> {
    const uid = ids.uid()
    const version = webhook.admissionReviewVersions.find((one) => one === 'v1' || one === 'v1beta1') ?? 'v1'
    const request = {
      uid,
      ...reviewRequest(write, matched),
      object: write.content === undefined ? inReviewedVersion(object, matched) : object,
      oldObject: write.content === undefined ? inReviewedVersion(oldObject, matched) : oldObject,
    }
    const review = { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request }
    let answer: ReviewAnswer
    try {
      answer = readReview(await callWebhook(webhook, review, agents, dial, write.signal), uid, version, mutating)
    } catch (error) {
      if (webhook.failurePolicy === 'Ignore') return undefined
      const what = error instanceof ReviewFault ? 'received invalid webhook response' : 'failed to call webhook'
      if (!(error instanceof ReviewFault) && !(error instanceof CallFault)) throw error
      throw internal(`failed calling webhook ${JSON.stringify(webhook.name)}: ${what}: ${error.message}`, error)
    }
    if (!answer.allowed) throw rejection(webhook.name, answer.status)
    return answer
  }
}

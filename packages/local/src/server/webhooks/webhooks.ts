import type { KubeObject } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { ApiFailure } from '../api-failure.ts'
import { internal } from '../failures.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import type { Registry } from '../registry.ts'
import { inReviewedVersion, type ReviewedWrite } from './admission-review.ts'
import { createInterviewer, type InterviewerOptions, type Reviewed } from './interviewer.ts'
import { type Candidate, createWebhookSource, type RegisteredWebhook } from './webhook-source.ts'

/** What is done with an object between the calls of mutating webhooks. */
export interface Rework {
  /** Reads a patched object as one of a request. */
  decode(patched: unknown): KubeObject
  /** What the server's own defaulting makes of an object that webhooks have changed. */
  again(object: KubeObject): Promise<KubeObject> | KubeObject
}

/** Asks the webhooks that are registered in the cluster. */
export interface Webhooks {
  /** Whether the rules of any webhook speak of a write. */
  concern(write: ReviewedWrite): boolean
  /** The object as the mutating webhooks want it. Throws `ApiFailure`; notes warnings. */
  mutate(write: ReviewedWrite, reviewed: Reviewed, warnings: Set<string>, rework: Rework): Promise<KubeObject | null>
  /** Throws `ApiFailure` when a validating webhook objects; notes warnings. */
  validate(write: ReviewedWrite, reviewed: Reviewed, warnings: Set<string>): Promise<void>
}

/** Asks nobody. */
export const NO_WEBHOOKS: Webhooks = {
  concern: () => false,
  mutate: async (_, { object }) => object,
  validate: async () => {},
}

/** The webhooks that the configurations in a store register (source: apiserver, admission/plugin/webhook). */
export function createWebhooks(options: InterviewerOptions & { readonly registry: Registry }): Webhooks {
  const source = createWebhookSource(options.store, options.registry)
  const { wantsToKnow, ask } = createInterviewer(options)
  return {
    concern: (write) =>
      source.candidates('mutating', write).length > 0 || source.candidates('validating', write).length > 0,

    async mutate(write, { object: given, oldObject }, warnings, rework) {
      const candidates = source.candidates('mutating', write)
      const progress = new Progress(given)
      /** Asks those of a round in turn; each sees what those before it made of the object. */
      const askAll = async (among: (registered: RegisteredWebhook) => boolean): Promise<void> => {
        for (const candidate of candidates) {
          if (!among(candidate.registered)) continue
          const reviewed = { object: progress.object, oldObject }
          if (!(await wantsToKnow(candidate, write, reviewed))) continue
          const answer = await ask(candidate, write, reviewed, true)
          for (const warning of answer?.warnings ?? []) warnings.add(warning)
          const patch = answer?.patch ?? []
          if (patch.length > 0) progress.changeTo(patched(candidate, progress.object, patch, rework))
          progress.asked(candidate.registered)
        }
      }
      await askAll(() => true)
      if (progress.object === given || progress.object === null) return progress.object
      progress.changeTo(await rework.again(progress.object))
      // whoever changes it now makes others be asked that come later
      await askAll((registered) => progress.again.has(registered))
      return progress.object
    },

    async validate(write, reviewed, warnings) {
      const candidates: Candidate[] = []
      for (const candidate of source.candidates('validating', write)) {
        if (await wantsToKnow(candidate, write, reviewed)) candidates.push(candidate)
      }
      const answers = await Promise.allSettled(candidates.map((one) => ask(one, write, reviewed, false)))
      for (const answer of answers) {
        if (answer.status === 'rejected') throw answer.reason
        for (const warning of answer.value?.warnings ?? []) warnings.add(warning)
      }
    },
  }
}

/** An object while webhooks change it, and who is to be asked again. */
class Progress {
  object: KubeObject | null
  /** Those that want to know what became of the object after them, and something did. */
  readonly again = new Set<RegisteredWebhook>()
  readonly #reinvocable = new Set<RegisteredWebhook>()
  constructor(object: KubeObject | null) {
    this.object = object
  }

  changeTo(next: KubeObject): void {
    if (equal(next, this.object)) return
    this.object = next
    for (const one of this.#reinvocable) this.again.add(one)
    this.#reinvocable.clear()
  }

  asked(registered: RegisteredWebhook): void {
    if (registered.webhook.reinvocationPolicy === 'IfNeeded') this.#reinvocable.add(registered)
  }
}

/** Throws `ApiFailure` 500. */
function patched(
  { registered: { webhook }, matched }: Candidate,
  object: KubeObject | null,
  patch: readonly unknown[],
  rework: Rework,
): KubeObject {
  if (object === null) {
    throw internal(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    )
  }
  try {
    const { apiVersion } = object
    const changed = applyJsonPatch(inReviewedVersion(object, matched) as KubeObject, patch) as KubeObject
    return rework.decode({ ...changed, apiVersion })
  } catch (error) {
    if (error instanceof ApiFailure) throw internal(reasonOf(error), error)
    throw error
  }
}

/** Why a patch does not fit is not told to those who send one, but to those who know the webhook. */
function reasonOf({ cause, message }: ApiFailure): string {
  return cause instanceof Error ? cause.message : message
}

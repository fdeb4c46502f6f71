import type { Store } from '../../store/store.ts'
import type { Registry } from '../registry.ts'
import type { LabelSelector } from '../selectors/label-selector.ts'
import { resourceName, type ServedResource } from '../served-resource.ts'
import type { ReviewedKind, ReviewedWrite } from './admission-review.ts'
import {
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type Webhook,
  type WebhookConfiguration,
} from './configuration.ts'
import type { ConditionMatcher } from './match-conditions.ts'
import { matchesRule } from './rule.ts'

/** A webhook that is registered; one object for as long as its configuration stays. */
export interface RegisteredWebhook {
  readonly webhook: Webhook
  /** Compiled with the first use. */
  conditions?: Promise<ConditionMatcher>
}

/** A webhook whose rules speak of a write, and the version of the kind in which it reads it. */
export interface Candidate {
  readonly registered: RegisteredWebhook
  readonly matched: ReviewedKind
}

/** The webhooks that are registered now: by the names of their configurations, then in order. */
export interface WebhookSource {
  candidates(phase: 'mutating' | 'validating', write: ReviewedWrite): readonly Candidate[]
}

const RESOURCES = { mutating: MutatingWebhookConfigurations, validating: ValidatingWebhookConfigurations } as const

/** Reads the configurations in a store, now and whenever one of them changes. */
export function createWebhookSource(store: Store, registry: Registry): WebhookSource {
  const registered = { mutating: watched('mutating'), validating: watched('validating') }

  function watched(phase: 'mutating' | 'validating'): { current: readonly RegisteredWebhook[] } {
    const collection = resourceName(RESOURCES[phase])
    const box = { current: read() }
    store.watch(collection, store.version, () => {
      box.current = read()
    })
    return box

    function read(): readonly RegisteredWebhook[] {
      // a list comes in the order of names
      const configurations = store.list(collection).items as readonly WebhookConfiguration[]
      return configurations.flatMap(({ webhooks = [] }) => webhooks.map((webhook) => ({ webhook })))
    }
  }

  return {
    candidates(phase, write) {
      const { current } = registered[phase]
      // nobody is asked about those who are to be asked
      if (current.length === 0 || write.resource.group === MutatingWebhookConfigurations.group) return NONE
      return current.flatMap((one): Candidate[] => {
        const matched = matchedKind(one.webhook, write, registry)
        return matched === undefined ? [] : [{ registered: one, matched }]
      })
    },
  }
}

const NONE: readonly Candidate[] = []

/** The kind as a rule names it: the written version first, then any other, unless the webhook wants none. */
function matchedKind(webhook: Webhook, write: ReviewedWrite, registry: Registry): ReviewedKind | undefined {
  const { rules = [], matchPolicy } = webhook
  const { resource, operation, subresource = '' } = write
  const speaksOf = (kind: ReviewedKind) => (rule: (typeof rules)[number]) =>
    matchesRule(rule, { ...kind, operation, subresource, namespaced: resource.namespaced })
  if (rules.some(speaksOf(resource))) return resource
  if (matchPolicy === 'Exact') return undefined
  const others = equivalents(resource, registry.resources)
  for (const rule of rules) {
    const found = others.find((other) => speaksOf(other)(rule))
    if (found !== undefined) return found
  }
  return undefined
}

/** The same kind in its other versions. */
function equivalents({ group, version, plural }: ReviewedKind, all: readonly ServedResource[]): ServedResource[] {
  return all.filter((other) => other.group === group && other.plural === plural && other.version !== version)
}

/** Whether a selector leaves nothing out. */
export function selectsAll({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0
}

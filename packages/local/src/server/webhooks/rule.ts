import type { WebhookRule } from './configuration.ts'

/** What a write is, as far as rules ask. */
export interface RuledWrite {
  readonly operation: string
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly subresource: string
  readonly namespaced: boolean
}

/** Whether a rule speaks of a write (source: apiserver, plugin/webhook/predicates/rules). */
export function matchesRule(rule: WebhookRule, write: RuledWrite): boolean {
  return (
    inScope(rule, write) &&
    includes(rule.operations, write.operation) &&
    includes(rule.apiGroups, write.group) &&
    includes(rule.apiVersions, write.version) &&
    rule.resources.some((text) => matchesResource(text, write))
  )
}

function inScope({ scope = '*' }: WebhookRule, { namespaced }: RuledWrite): boolean {
  return scope === '*' || (scope === 'Namespaced') === namespaced
}

function includes(list: readonly string[], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted)
}

function matchesResource(text: string, { plural, subresource }: RuledWrite): boolean {
  const slash = text.indexOf('/')
  const resource = slash < 0 ? text : text.slice(0, slash)
  const sub = slash < 0 ? '' : text.slice(slash + 1)
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource)
}

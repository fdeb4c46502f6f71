import { duplicateValue, forbiddenValue, invalidValue, requiredValue, tooMany, unsupportedValue } from '../causes.ts'
import type { Cause } from '../failures.ts'
import { isSubdomain } from '../object-names.ts'
import type { LabelSelector } from '../selectors/label-selector.ts'
import type { Webhook, WebhookConfiguration, WebhookRule } from './configuration.ts'

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const REVIEW_VERSIONS = ['v1', 'v1beta1']
const MAX_CONDITIONS = 64
const HTTPS = '; desired format: https://host[/path]'

/**
 * Everything that is wrong with a configuration of webhooks but its types (source: pkg/apis/admissionregistration/validation).
 *
 * @param conditionFault compiles a match condition and says what is wrong with it
 */
export function checkConfiguration(
  { webhooks = [] }: WebhookConfiguration,
  conditionFault: (expression: string) => string | undefined,
): readonly Cause[] {
  const causes: Cause[] = []
  const names = new Set<string>()
  for (const [index, webhook] of webhooks.entries()) {
    const at = `webhooks[${index}]`
    checkWebhook(webhook, at, causes)
    checkConditions(webhook, `${at}.matchConditions`, conditionFault, causes)
    checkReviewVersions(webhook.admissionReviewVersions ?? [], `${at}.admissionReviewVersions`, causes)
    if (webhook.name && names.has(webhook.name)) causes.push(duplicateValue(`${at}.name`, webhook.name))
    names.add(webhook.name)
  }
  return causes
}

function checkWebhook(webhook: Webhook, at: string, causes: Cause[]): void {
  checkName(webhook.name, `${at}.name`, causes)
  for (const [index, rule] of (webhook.rules ?? []).entries()) checkRule(rule, `${at}.rules[${index}]`, causes)
  checkOneOf(webhook.failurePolicy, ['Fail', 'Ignore'], `${at}.failurePolicy`, causes)
  checkOneOf(webhook.matchPolicy, ['Equivalent', 'Exact'], `${at}.matchPolicy`, causes)
  if (webhook.sideEffects === undefined) {
    causes.push(requiredValue(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'))
  } else checkOneOf(webhook.sideEffects, ['None', 'NoneOnDryRun'], `${at}.sideEffects`, causes)
  const { timeoutSeconds: timeout } = webhook
  if (timeout !== undefined && (timeout < 1 || timeout > 30)) {
    causes.push(invalidValue(`${at}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'))
  }
  checkSelector(webhook.namespaceSelector, `${at}.namespaceSelector`, causes)
  checkSelector(webhook.objectSelector, `${at}.objectSelector`, causes)
  checkOneOf(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], `${at}.reinvocationPolicy`, causes)
  checkClient(webhook, `${at}.clientConfig`, causes)
}

function checkName(name: string | undefined, at: string, causes: Cause[]): void {
  if (!name) causes.push(requiredValue(at))
  else if (!isSubdomain(name)) causes.push(invalidValue(at, name, 'must be a lowercase RFC 1123 subdomain'))
  else if (name.split('.').length < 3) {
    causes.push(invalidValue(at, name, 'should be a domain with at least three segments separated by dots'))
  }
}

function checkOneOf(value: string | undefined, known: readonly string[], at: string, causes: Cause[]): void {
  if (value !== undefined && !known.includes(value)) causes.push(unsupportedValue(at, value, known))
}

function checkRule(rule: WebhookRule, at: string, causes: Cause[]): void {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [] } = rule
  checkWildcard(operations, `${at}.operations`, 'operations', causes)
  for (const [index, operation] of operations.entries()) {
    checkOneOf(operation, OPERATIONS, `${at}.operations[${index}]`, causes)
  }
  checkWildcard(apiGroups, `${at}.apiGroups`, 'API groups', causes)
  checkWildcard(apiVersions, `${at}.apiVersions`, 'API versions', causes)
  for (const [index, version] of apiVersions.entries()) {
    if (version === '') causes.push(requiredValue(`${at}.apiVersions[${index}]`))
  }
  checkResources(resources, `${at}.resources`, causes)
  checkOneOf(rule.scope, ['*', 'Cluster', 'Namespaced'], `${at}.scope`, causes)
}

function checkWildcard(list: readonly string[], at: string, what: string, causes: Cause[]): void {
  if (list.length === 0) causes.push(requiredValue(at))
  if (list.length > 1 && list.includes('*')) {
    causes.push(invalidValue(at, list, `if '*' is present, must not specify other ${what}`))
  }
}

function checkResources(resources: readonly string[], at: string, causes: Cause[]): void {
  if (resources.length === 0) causes.push(requiredValue(at))
  const allOf = new Set<string>()
  const ofAll = new Set<string>()
  for (const [index, text] of resources.entries()) {
    const [resource = '', sub] = text.split(/\/(.*)/s)
    if (text === '') causes.push(requiredValue(`${at}[${index}]`))
    if (sub === undefined) continue
    if (allOf.has(resource)) {
      causes.push(invalidValue(`${at}[${index}]`, text, `if '${resource}/*' is present, must not specify ${text}`))
    }
    if (ofAll.has(sub)) {
      causes.push(invalidValue(`${at}[${index}]`, text, `if '*/${sub}' is present, must not specify ${text}`))
    }
    if (sub === '*') allOf.add(resource)
    if (resource === '*') ofAll.add(sub)
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    causes.push(invalidValue(at, resources, "if '*/*' is present, must not specify other resources"))
  }
  if (resources.includes('*') && resources.some((text) => text !== '*' && !text.includes('/'))) {
    causes.push(invalidValue(at, resources, "if '*' is present, must not specify other resources without subresources"))
  }
}

function checkSelector(selector: LabelSelector | undefined, at: string, causes: Cause[]): void {
  for (const [index, { operator, values = [] }] of (selector?.matchExpressions ?? []).entries()) {
    const field = `${at}.matchExpressions[${index}]`
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length > 0) continue
      causes.push(requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length === 0) continue
      const text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
      causes.push(forbiddenValue(`${field}.values`, text))
    } else causes.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'))
  }
}

function checkClient({ clientConfig: client }: Webhook, at: string, causes: Cause[]): void {
  const { url, service } = client ?? {}
  if ((url === undefined) === (service === undefined)) {
    causes.push(requiredValue(at, 'exactly one of url or service is required'))
    return
  }
  if (service !== undefined) {
    for (const field of ['name', 'namespace'] as const) {
      if (!service[field]) causes.push(requiredValue(`${at}.service.${field}`))
    }
    const { port = 443, path } = service
    if (port < 1 || port > 65_535) {
      const text = 'port is not valid: must be between 1 and 65535, inclusive'
      causes.push(invalidValue(`${at}.service.port`, port, text))
    }
    if (path && !path.startsWith('/')) causes.push(invalidValue(`${at}.service.path`, path, "must start with a '/'"))
  }
  if (url !== undefined) checkUrl(url, `${at}.url`, causes)
}

function checkUrl(text: string, at: string, causes: Cause[]): void {
  const url = URL.parse(text)
  if (url === null) {
    causes.push(requiredValue(at, `url must be a valid URL: ${JSON.stringify(text)} is none${HTTPS}`))
    return
  }
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== 'https') causes.push(invalidValue(at, scheme, `'https' is the only allowed URL scheme${HTTPS}`))
  if (url.host === '') causes.push(invalidValue(at, '', `host must be specified${HTTPS}`))
  if (url.username !== '') causes.push(invalidValue(at, url.username, 'user information is not permitted in the URL'))
  if (url.hash !== '') causes.push(invalidValue(at, url.hash.slice(1), 'fragments are not permitted in the URL'))
  if (url.search !== '') {
    causes.push(invalidValue(at, url.search.slice(1), 'query parameters are not permitted in the URL'))
  }
}

function checkConditions(
  { matchConditions = [] }: Webhook,
  at: string,
  conditionFault: (expression: string) => string | undefined,
  causes: Cause[],
): void {
  if (matchConditions.length > MAX_CONDITIONS) causes.push(tooMany(at, matchConditions.length, MAX_CONDITIONS))
  for (const [index, { name, expression = '' }] of matchConditions.entries()) {
    const fault = expression.trim() === '' ? undefined : conditionFault(expression)
    if (expression.trim() === '') causes.push(requiredValue(`${at}[${index}].expression`))
    if (fault !== undefined) causes.push(invalidValue(`${at}[${index}].expression`, expression, fault))
    if (!name) causes.push(requiredValue(`${at}[${index}].name`))
  }
}

function checkReviewVersions(versions: readonly string[], at: string, causes: Cause[]): void {
  if (versions.length === 0) causes.push(requiredValue(at, `must specify one of ${REVIEW_VERSIONS.join(', ')}`))
  else if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    causes.push(invalidValue(at, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`))
  }
}

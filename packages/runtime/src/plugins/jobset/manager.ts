import { dnsSubdomainFault } from '@trainjob/api'
import type { FindingsCollector } from '../../plugin.ts'

const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

/** A manager is a path below a domain. Source: k8s.io/apimachinery, pkg/util/validation (`IsDomainPrefixedPath`). */
export function validateManager(manager: string | undefined, findings: FindingsCollector): void {
  const fault = managerFault(manager ?? '')
  if (fault === undefined) return
  findings.error({
    path: 'spec.runtimePatches.manager',
    code: 'invalid-manager',
    message: `expected a domain and a path, like example.com/scheduler; ${fault}`,
  })
}

function managerFault(manager: string): string | undefined {
  if (manager === '') return 'found nothing'
  const slash = manager.indexOf('/')
  if (slash < 1 || slash === manager.length - 1) return `found ${JSON.stringify(manager)}`
  const domainFault = dnsSubdomainFault(manager.slice(0, slash))
  if (domainFault !== undefined) return `the domain of ${JSON.stringify(manager)}: ${domainFault}`
  const path = manager.slice(slash + 1)
  return PATH.test(path) ? undefined : `${JSON.stringify(path)} has characters that a path may not have`
}

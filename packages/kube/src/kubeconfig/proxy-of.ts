import type { Environment } from './load-kubeconfig.ts'

/**
 * The proxy that the environment names for an address (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, upper or lower case),
 * by curl's and kubectl's rules; never one for this machine.
 */
export function proxyOf(server: string, env: Environment): string | undefined {
  const url = new URL(server)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined
  const read = (name: string) => env[name] || env[name.toLowerCase()] || undefined
  const proxy = url.protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY')
  if (
    proxy === undefined ||
    (read('NO_PROXY') ?? '').split(',').some((rule) => isExempt(rule.trim(), host, url.port))
  ) {
    return undefined
  }
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

function isExempt(rule: string, host: string, port: string): boolean {
  if (rule === '') return false
  if (rule === '*') return true
  const [, name = '', rulePort] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? []
  if (rulePort !== undefined && rulePort !== port) return false
  const suffix = name.replace(/^\*?\./, '')
  return host === suffix || host.endsWith(`.${suffix}`)
}

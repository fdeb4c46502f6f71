import { BlockList, isIP } from 'node:net'
import type { Environment } from '@marcbachmann/cel-js'
import { isCidr } from '../formats.ts'

class CelUrl {
  readonly url: URL
  constructor(url: URL) {
    this.url = url
  }
}

class CelIp {
  readonly address: string
  constructor(address: string) {
    this.address = address
  }
}

class CelCidr {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** URLs, addresses and networks (sources: k8s.io/apiserver, pkg/cel/library/{urls,ip,cidr}.go). */
export function registerNetwork(environment: Environment): Environment {
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  const contains = ({ text }: CelCidr, address: string): boolean => {
    const [base = '', length = ''] = text.split('/')
    if (isIP(base) !== isIP(address)) return false
    const list = new BlockList()
    list.addSubnet(base, Number(length), family(base))
    return list.check(address, family(address))
  }
  return environment
    .registerType('URL', { ctor: CelUrl, fields: {} })
    .registerFunction('isURL(string): bool', (text: string) => parseUrl(text) !== undefined)
    .registerFunction('url(string): URL', (text: string) => {
      const url = parseUrl(text)
      if (url === undefined) throw new TypeError(`URL parse error during conversion from string: ${text}`)
      return new CelUrl(url)
    })
    .registerFunction('URL.getScheme(): string', ({ url }: CelUrl) =>
      url.origin === PATH_ONLY ? '' : url.protocol.slice(0, -1),
    )
    .registerFunction('URL.getHost(): string', ({ url }: CelUrl) => (url.origin === PATH_ONLY ? '' : url.host))
    .registerFunction('URL.getHostname(): string', ({ url }: CelUrl) =>
      url.origin === PATH_ONLY ? '' : url.hostname.replaceAll(/[[\]]/g, ''),
    )
    .registerFunction('URL.getPort(): string', ({ url }: CelUrl) => url.port)
    .registerFunction('URL.getEscapedPath(): string', ({ url }: CelUrl) => url.pathname)
    .registerFunction('URL.getQuery(): map', ({ url }: CelUrl) =>
      Object.fromEntries([...new Set(url.searchParams.keys())].map((key) => [key, url.searchParams.getAll(key)])),
    )
    .registerType('net.IP', { ctor: CelIp, fields: {} })
    .registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0)
    .registerFunction('ip(string): net.IP', (text: string) => {
      if (isIP(text) === 0) throw new TypeError(`IP Address ${JSON.stringify(text)} parse error during conversion`)
      return new CelIp(text)
    })
    .registerFunction('net.IP.family(): int', ({ address }: CelIp) => BigInt(isIP(address)))
    .registerFunction('net.IP.isLoopback(): bool', ({ address }: CelIp) => address === '::1' || /^127\./.test(address))
    .registerFunction('net.IP.isUnspecified(): bool', ({ address }: CelIp) => address === '::' || address === '0.0.0.0')
    .registerType('net.CIDR', { ctor: CelCidr, fields: {} })
    .registerFunction('isCIDR(string): bool', isCidr)
    .registerFunction('cidr(string): net.CIDR', (text: string) => {
      if (!isCidr(text)) throw new TypeError(`network address parse error during conversion from string: ${text}`)
      return new CelCidr(text)
    })
    .registerFunction('net.CIDR.containsIP(string): bool', contains)
    .registerFunction('net.CIDR.containsIP(net.IP): bool', (cidr, { address }: CelIp) => contains(cidr, address))
    .registerFunction('net.CIDR.prefixLength(): int', ({ text }: CelCidr) => BigInt(text.split('/')[1] ?? ''))
}

const PATH_ONLY = 'http://path.only.invalid'

/** Absolute, or a path from the root, as Go's `ParseRequestURI` takes it. */
function parseUrl(text: string): URL | undefined {
  if (/[^\x21-\x7e]/.test(text)) return undefined
  const url = text.startsWith('/') ? `${PATH_ONLY}${text}` : text
  return URL.canParse(url) ? new URL(url) : undefined
}

import type { Pod } from '@trainjob/api'
import { isHostOfGroup } from './pod-group.ts'

/** New port by port as written in the manifest. */
export type PortMap = ReadonlyMap<number, number>

const HOST_SUFFIX = /(?:ADDR|ADDRESS|HOST|HOSTNAME|IP|URI|URL)$/i

/**
 * Ports on which a job's own pods listen and that its env or arguments mention: declared container ports, the port of
 * `host:port` where the host is a pod of the job, and `X_PORT` beside an `X_ADDR` (or `_HOST`, …) that names one. A
 * `DB_PORT` of somebody else's server is none.
 */
export function jobPorts(pod: Pod, env: ReadonlyMap<string, string>, argv: readonly string[]): number[] {
  const declared = new Set<number>()
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    for (const { containerPort, protocol = 'TCP' } of container.ports ?? []) {
      if (protocol === 'TCP') declared.add(containerPort)
    }
  }
  const found = new Set<number>()
  const isPeer = (text: string): boolean => isHostOfGroup(pod, text.split('.')[0] ?? '')
  const peers = new Set<string>()
  for (const [name, value] of env) {
    if (HOST_SUFFIX.test(name) && isPeer(value)) peers.add(name.replace(HOST_SUFFIX, ''))
  }
  const scan = (text: string): void => {
    for (const match of text.matchAll(/([a-z0-9][a-z0-9.-]*):(\d{2,5})(?!\d)/g)) {
      if (isPeer(match[1] as string)) found.add(Number(match[2]))
    }
    for (const port of declared) if (mentions(text, port)) found.add(port)
  }
  for (const [name, value] of env) {
    const port = /^\d{2,5}$/.test(value) && /PORT$/i.test(name) ? Number(value) : undefined
    if (port !== undefined && (declared.has(port) || peers.has(name.slice(0, -'PORT'.length)))) found.add(port)
    scan(value)
  }
  for (const [index, argument] of argv.entries()) {
    scan(argument)
    const port = portOfFlag(argv[index - 1], argument)
    if (port !== undefined && declared.has(port)) found.add(port)
  }
  return [...found].filter((port) => port > 0 && port < 65_536).sort((a, b) => a - b)
}

/** The same env with the ports of the map in place of the written ones. */
export function mapPortsInEnv(env: ReadonlyMap<string, string>, map: PortMap): Map<string, string> {
  return new Map(
    [...env].map(([name, value]) => {
      const port = /PORT$/i.test(name) ? map.get(Number(value)) : undefined
      return [name, port === undefined ? mapPortsInText(value, map) : String(port)]
    }),
  )
}

/** The same arguments with the ports of the map: `--port 29500`, `--port=29500`, `host:29500`, also inside scripts. */
export function mapPortsInArgv(argv: readonly string[], map: PortMap): string[] {
  return argv.map((argument, index) => {
    const port = portOfFlag(argv[index - 1], argument)
    const mapped = port === undefined ? undefined : map.get(port)
    return mapped === undefined ? mapPortsInText(argument, map) : String(mapped)
  })
}

function mapPortsInText(text: string, map: PortMap): string {
  let out = text
  for (const [from, to] of map) {
    if (out.includes(String(from))) out = out.replace(pattern(from), `$1${to}`)
  }
  return out
}

function mentions(text: string, port: number): boolean {
  return text.includes(String(port)) && pattern(port).test(text)
}

/** A port after `host:` or after a word that ends in `port`. */
function pattern(port: number): RegExp {
  return new RegExp(`((?:[\\w\\]*.-]:)|(?:port["']?(?:\\s*[=:]\\s*|\\s+)["']?))${port}(?![\\w.])`, 'gi')
}

/** The port in an argument of its own, after a flag like `--master_port`. */
function portOfFlag(flag: string | undefined, argument: string): number | undefined {
  return flag !== undefined && /^-.*port$/i.test(flag) && /^\d{2,5}$/.test(argument) ? Number(argument) : undefined
}

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '@trainjob/api'
import { type AddressBook, createAddressBook } from './addresses.ts'
import { createHostResolver, hostKey } from './host-names.ts'
import { jobPorts, mapPortsInArgv, mapPortsInEnv, type PortMap } from './job-ports.ts'
import { type PodGroup, podGroup } from './pod-group.ts'
import { leaseFreePort, leasePort, type PortLease } from './port-lease.ts'

/** What a process is started with. */
interface Invocation {
  readonly env: ReadonlyMap<string, string>
  readonly argv: readonly string[]
}

/** A pod's place in the network of its job. */
export interface PodSeat {
  /** The pod's address. */
  readonly ip: string
  /** The same invocation with addresses and ports that work on this machine; at once where there is nothing to do. */
  connect(invocation: Invocation): Invocation | Promise<Invocation>
  /** Where a port of the manifest is on this machine. */
  portOf(port: number): number
  /** A hosts file that knows the pods of the job, for a container that can have its own `/etc/hosts`. */
  hostsFile(): string
  /** The pod is gone. What its job holds is given back with the last of its pods. */
  leave(): void
}

export interface PodNetwork {
  join(pod: Pod): PodSeat
}

export interface PodNetworkOptions {
  /** Where hosts files are kept. */
  readonly dir: string
  readonly platform: NodeJS.Platform
  /** In [0, 1). */
  readonly random: () => number
  readonly onNote: (note: string) => void
}

interface JobNetwork extends PodGroup {
  /** Address by host. */
  readonly hosts: Map<string, string>
  readonly ports: Map<number, Promise<number>>
  readonly known: Map<number, number>
  readonly leases: PortLease[]
  members: number
  hostsFile?: string
}

/**
 * Names and ports of jobs whose pods are processes of one machine: every pod has its own loopback address, names of
 * pods become addresses, and a port that somebody else has becomes a free one, the same for all pods of the job. See
 * docs/decisions/pod-network.md.
 */
export function createPodNetwork(options: PodNetworkOptions): PodNetwork {
  const { platform, random, onNote } = options
  const addresses = createAddressBook(platform, Math.floor(random() * 2 ** 22))
  const jobs = new Map<string, JobNetwork>()
  let files = 0

  function jobOf(pod: Pod): JobNetwork {
    const group = podGroup(pod)
    let job = jobs.get(group.key)
    if (job === undefined) {
      job = { ...group, hosts: new Map(), ports: new Map(), known: new Map(), leases: [], members: 0 }
      jobs.set(group.key, job)
    }
    return job
  }

  function bookOf(job: JobNetwork): Pick<AddressBook, 'of'> {
    return {
      of(host) {
        const known = job.hosts.get(host)
        if (known !== undefined) return known
        const ip = addresses.of(`${job.key} ${host}`)
        job.hosts.set(host, ip)
        if (job.hostsFile !== undefined) appendFileSync(job.hostsFile, hostsLine(host, ip))
        return ip
      },
    }
  }

  function portFor(job: JobNetwork, port: number): Promise<number> {
    let answer = job.ports.get(port)
    if (answer === undefined) {
      answer = takePort(job, port)
      job.ports.set(port, answer)
    }
    return answer
  }

  async function takePort(job: JobNetwork, port: number): Promise<number> {
    const lease = (await leasePort(port, platform)) ?? (await leaseFreePort(random, platform))
    if (lease === undefined) return port
    if (job.members === 0) {
      // everybody left meanwhile
      lease.release()
      return port
    }
    job.leases.push(lease)
    if (lease.port !== port) {
      job.known.set(port, lease.port)
      onNote(`port ${port} is taken on this machine: ${job.name} uses ${lease.port} instead`)
    }
    return lease.port
  }

  return {
    join(pod) {
      const job = jobOf(pod)
      job.members++
      const book = bookOf(job)
      const ip = book.of(hostKey(pod))
      const resolve = createHostResolver(pod, book)
      const named = (invocation: Invocation): Invocation => ({
        env: new Map([...invocation.env].map(([name, value]) => [name, resolve(value)])),
        argv: invocation.argv.map(resolve),
      })
      let left = false
      return {
        ip,
        connect(invocation) {
          const ports = jobPorts(pod, invocation.env, invocation.argv)
          if (ports.length === 0) return named(invocation)
          return Promise.all(
            ports.map(async (port): Promise<[number, number]> => [port, await portFor(job, port)]),
          ).then((pairs) => {
            const moved: PortMap = new Map(pairs.filter(([from, to]) => from !== to))
            if (moved.size === 0) return named(invocation)
            // Ports first: they are recognised by the names of their hosts.
            return named({
              env: mapPortsInEnv(invocation.env, moved),
              argv: mapPortsInArgv(invocation.argv, moved),
            })
          })
        },
        portOf: (port) => job.known.get(port) ?? port,
        hostsFile() {
          if (job.hostsFile === undefined) {
            mkdirSync(options.dir, { recursive: true })
            job.hostsFile = join(options.dir, `hosts-${files++}`)
            const lines = [...job.hosts].map(([host, ip]) => hostsLine(host, ip))
            writeFileSync(job.hostsFile, `${systemHosts()}\n${lines.join('')}`)
          }
          return job.hostsFile
        },
        leave() {
          if (left) return
          left = true
          job.members--
          if (job.members > 0) return
          jobs.delete(job.key)
          for (const host of job.hosts.keys()) addresses.release(`${job.key} ${host}`)
          for (const lease of job.leases) lease.release()
        },
      }
    },
  }
}

/** `host` is namespace/subdomain/hostname, or namespace/name for a pod that DNS does not know. */
function hostsLine(host: string, ip: string): string {
  const [namespace, subdomain, hostname] = host.split('/')
  if (hostname === undefined) return `${ip}\t${subdomain}\n`
  const short = `${hostname}.${subdomain}`
  const long = `${short}.${namespace}.svc`
  return `${ip}\t${long}.cluster.local ${long} ${short}.${namespace} ${short} ${hostname}\n`
}

function systemHosts(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8')
  } catch {
    return '127.0.0.1\tlocalhost\n'
  }
}

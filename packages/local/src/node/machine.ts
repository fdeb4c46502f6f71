import { availableParallelism, hostname, release, totalmem } from 'node:os'
import type { Node } from '@trainjob/api'

/** What this machine has for pods. */
export interface Machine {
  readonly cpus: number
  readonly memoryBytes: number
  /** Extended resources, for example `nvidia.com/gpu`. */
  readonly devices: Readonly<Record<string, number>>
}

/** The CPUs and the memory that this process may use: limits of a container or a cgroup count. Devices are found separately, see `detectDevices`. */
export function readMachine(): Machine {
  const limit = process.constrainedMemory()
  const total = totalmem()
  return {
    cpus: availableParallelism(),
    memoryBytes: limit > 0 && limit < total ? limit : total,
    devices: {},
  }
}

/** How many pods a node takes; a kubelet takes 110, but here a pod is one process and jobs may be wide. */
const MAX_PODS = 1_000

/** Capacity as a Node states it. */
export function capacityOf(machine: Machine): Record<string, string> {
  const devices = Object.entries(machine.devices).map(([name, count]): [string, string] => [name, String(count)])
  return {
    cpu: String(machine.cpus),
    memory: `${Math.floor(machine.memoryBytes / 1024)}Ki`,
    pods: String(MAX_PODS),
    ...Object.fromEntries(devices),
  }
}

/** The Node object of this machine, ready. @param now RFC 3339 */
export function nodeObject(name: string, machine: Machine, now: string, runtime: string = 'process'): Node {
  const capacity = capacityOf(machine)
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': process.platform === 'win32' ? 'windows' : process.platform,
        'kubernetes.io/arch': process.arch === 'x64' ? 'amd64' : process.arch,
      },
    },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: `this machine runs pods ${runtime === 'process' ? 'as processes' : `with ${runtime}`}`,
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
      addresses: [
        { type: 'InternalIP', address: '127.0.0.1' },
        { type: 'Hostname', address: hostname() },
      ],
      nodeInfo: {
        operatingSystem: process.platform,
        architecture: process.arch === 'x64' ? 'amd64' : process.arch,
        kernelVersion: release(),
        containerRuntimeVersion: `${runtime}://1`,
        kubeletVersion: 'v1.36.0-trainjob',
      },
    },
  }
}

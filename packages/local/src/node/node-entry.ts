import { type Container, type Node, Nodes, type Pod } from '@trainjob/api'
import { type Client, type Clock, isAlreadyExists } from '@trainjob/kube'
import { type Attempt, configFault } from './config-fault.ts'
import { detectDevices } from './devices/detect-devices.ts'
import { createDeviceBook } from './devices/device-book.ts'
import { deviceEnv } from './devices/device-env.ts'
import { capacityOf, type Machine, nodeObject, readMachine } from './machine.ts'

/** This machine as a Node of the cluster: what it has, and which of its devices a pod holds. */
export interface NodeEntry {
  /** As far as it is known by now. */
  readonly allocatable: Readonly<Record<string, string>>
  /** Once devices are known. */
  capacity(): Promise<Readonly<Record<string, string>>>
  /** Creates the Node, or brings an old one up to date, and begins to look for devices. */
  register(signal: AbortSignal): Promise<void>
  /** Nobody waits for devices any more. */
  giveUp(): void
  /** The variables that show a container its devices, or why it must wait. */
  assign(pod: Pod, container: Container): Attempt<Readonly<Record<string, string>>>
  /** The pod needs its devices no more. */
  release(podUid: string): void
}

export interface NodeEntryOptions {
  readonly client: Client
  readonly clock: Clock
  readonly name: string
  /** Where the vendors' tools are found. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The container engine, if one is used. */
  readonly engine?: string | undefined
  readonly onNote: (note: string) => void
}

export function createNodeEntry({ client, clock, name, env, engine, onNote }: NodeEntryOptions): NodeEntry {
  const devices = createDeviceBook()
  let machine: Machine = readMachine()
  let tellKnown: () => void = () => {}
  const known = new Promise<void>((resolve) => {
    tellKnown = resolve
  })

  function current(): Node {
    return nodeObject(name, machine, new Date(clock.now()).toISOString(), engine)
  }

  async function writeStatus({ status }: Node): Promise<void> {
    await client.patch(Nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
  }

  async function findDevices(signal: AbortSignal): Promise<void> {
    const found = await detectDevices(env, signal)
    if (Object.keys(found).length === 0 || signal.aborted) return
    devices.offer(found)
    machine = { ...machine, devices: devices.counts() }
    onNote('devices of this machine are seen only by containers that ask for them in their limits')
    await writeStatus(current())
  }

  async function create(): Promise<void> {
    const object = current()
    try {
      const created = await client.create(Nodes, object)
      if (created.status?.capacity !== undefined) return
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
    await writeStatus(object)
  }

  return {
    get allocatable() {
      return capacityOf(machine)
    },
    async capacity() {
      await known
      return capacityOf(machine)
    },
    async register(signal) {
      await create()
      void findDevices(signal)
        .catch((error: Error) => onNote(`devices of this machine are not offered to pods: ${error.message}`))
        .finally(tellKnown)
    },
    giveUp: () => tellKnown(),
    assign(pod, container) {
      const assigned = devices.assign(pod, container)
      if (!assigned.ok) return configFault(`all ${assigned.lacking} of this machine are in use`)
      return { ok: true, value: deviceEnv(assigned.value, machine.devices) }
    },
    release: (podUid) => devices.release(podUid),
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Event, Events, type Pod, type PodSpec, Pods } from '@trainjob/api'
import { type Client, systemClock } from '@trainjob/kube'
import { testServer } from '../../server/testing/test-server.ts'
import { podAdmission } from '../admission.ts'
import { createNodeAgent, type NodeAgent, type NodeAgentOptions } from '../agent.ts'

/** A node agent on a server of its own, in a temporary folder; its pods are real processes. */
export interface TestNode {
  readonly client: Client
  readonly agent: NodeAgent
  readonly dir: string
  readonly notes: readonly string[]
  /** Creates a pod that is bound to the node. */
  run(name: string, spec: Partial<PodSpec>, metadata?: Pod['metadata']): Promise<Pod>
  /** Waits until the pod is as wanted; `undefined` stands for a pod that is gone. */
  until(name: string, wanted: (pod: Pod) => boolean): Promise<Pod>
  gone(name: string): Promise<void>
  logs(name: string, options?: Parameters<Client['logs']>[1]): Promise<string>
  events(name: string): Promise<Event[]>
  close(): Promise<void>
}

export async function testNode(options: Partial<NodeAgentOptions> = {}): Promise<TestNode> {
  const dir = mkdtempSync(join(tmpdir(), 'tj-node-'))
  const notes: string[] = []
  let agent: NodeAgent | undefined
  const { client } = await testServer({
    hooks: [podAdmission() as never],
    logs: { open: (...request) => (agent as NodeAgent).logs.open(...request) },
  })
  const node = createNodeAgent({
    client,
    clock: systemClock,
    dir,
    restartBackoff: { initialMs: 10, maxMs: 40 },
    onNote: (note) => notes.push(note),
    ...options,
  })
  agent = node
  // Timers of the clock keep nothing alive; a test that waits does.
  const alive = setInterval(() => {}, 2 ** 30)
  const ended = node.start(new AbortController().signal)

  async function* states(name: string): AsyncGenerator<Pod | undefined> {
    const list = await client.list(Pods, { namespace: 'default', fieldSelector: `metadata.name=${name}` })
    yield list.items[0]
    const since = list.metadata.resourceVersion
    const watch = client.watch(Pods, {
      namespace: 'default',
      fieldSelector: `metadata.name=${name}`,
      ...(since === undefined ? {} : { resourceVersion: since }),
    })
    for await (const event of watch) {
      if (event.type !== 'BOOKMARK') yield event.type === 'DELETED' ? undefined : event.object
    }
  }

  return {
    client,
    agent: node,
    dir,
    notes,
    run: (name, spec, metadata = {}) =>
      client.create(Pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'default', name, ...metadata },
        spec: { nodeName: 'local', restartPolicy: 'Never', containers: [], ...spec },
      }),
    async until(name, wanted) {
      for await (const pod of states(name)) if (pod !== undefined && wanted(pod)) return pod
      throw new Error(`the watch of pod ${name} ended`)
    },
    async gone(name) {
      for await (const pod of states(name)) if (pod === undefined) return
    },
    async logs(name, logOptions) {
      let text = ''
      for await (const chunk of client.logs({ namespace: 'default', name }, logOptions)) {
        text += Buffer.from(chunk).toString()
      }
      return text
    },
    async events(name) {
      const { items } = await client.list(Events, { namespace: 'default' })
      return items.filter((event) => event.involvedObject.name === name)
    },
    async close() {
      await node.stop({ graceMs: 0 })
      await ended
      clearInterval(alive)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A pod's only container, running a script of the shell. */
export function shell(script: string, more: Partial<PodSpec['containers'][number]> = {}): PodSpec['containers'] {
  return [{ name: 'node', image: 'any', command: ['sh', '-c', script], ...more }]
}

/** Whether a process runs; one that has ended and waits to be collected by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The status of a pod's first container. */
export function firstContainer(
  pod: Pod,
): NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number] | undefined {
  return pod.status?.containerStatuses?.[0]
}

/** For `until`. */
export function inPhase(phase: string): (pod: Pod) => boolean {
  return (pod) => pod.status?.phase === phase
}

import { connect, type Socket } from 'node:net'
import type { Pod } from '@trainjob/api'
import type { StreamEnd, StreamSource } from '../server/exec/stream-source.ts'
import type { PodSeat } from './network/pod-network.ts'
import type { PodWorker } from './pod-worker.ts'
import type { ContainerExit } from './runner.ts'

/** A pod that runs here. */
export interface PodHere {
  readonly worker: Pick<PodWorker, 'running'>
  readonly seat: Pick<PodSeat, 'ip' | 'portOf'>
}

const LOOPBACK = '127.0.0.1'

/** Leads users to the containers of this node. @param find the pod, while it is here */
export function createPodStreams(find: (pod: Pod) => PodHere | undefined): StreamSource {
  const missing = (pod: Pod, container: string): StreamEnd => ({
    failure: `container ${container} of pod ${pod.metadata.name} does not run now`,
  })
  return {
    async exec(pod, container, argv, streams) {
      const running = find(pod)?.worker.running(container)
      return running === undefined ? missing(pod, container) : endOf(await running.exec({ ...streams, argv }))
    },
    async attach(pod, container, streams) {
      const running = find(pod)?.worker.running(container)
      if (running === undefined) return missing(pod, container)
      await running.attach(streams)
      // its end is the pod's news, not a failure of looking on
      return { code: 0 }
    },
    async connect(pod, port, signal) {
      const here = find(pod)
      if (here === undefined) throw new Error(`pod ${pod.metadata.name} does not run now`)
      const at = here.seat.portOf(port)
      try {
        return await open(here.seat.ip, at, signal)
      } catch (error) {
        // a server that listens on localhost only; in a cluster each pod has a localhost of its own
        if (here.seat.ip === LOOPBACK) throw error
        return await open(LOOPBACK, at, signal)
      }
    },
  }
}

function endOf({ code, startFailure }: ContainerExit): StreamEnd {
  return startFailure === undefined ? { code } : { failure: startFailure }
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, allowHalfOpen: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

import { readFile } from 'node:fs/promises'
import { customResourceDefinitions } from '@trainjob/api/crd'
import { startControlPlane } from '@trainjob/test/control-plane'
import { buildControlPlane } from '@trainjob/test/control-plane/build'
import { installDefinition } from '@trainjob/test/control-plane/definitions'
import type { MeasuredServer } from './server.ts'

/** How rows name it: etcd writes its log, but does not wait for the disk. */
export const PEER = { name: 'kube-apiserver + etcd --unsafe-no-fsync', version: '1.36.3' } as const

/**
 * Starts kube-apiserver and etcd with our definitions, no webhooks and no controllers. `undefined` when they cannot be
 * built here, after saying so.
 */
export async function startPeerServer(): Promise<MeasuredServer | undefined> {
  const built = await buildControlPlane()
  if ('missing' in built) {
    process.stderr.write(`The peer is missing, its rows are left out. ${built.missing}\n`)
    return undefined
  }
  const plane = await startControlPlane(built, 'api-server')
  try {
    for (const definition of customResourceDefinitions()) {
      await installDefinition(plane.client, definition)
    }
  } catch (error) {
    await plane.stop()
    throw error
  }
  const { url, ca, token, processes } = plane
  const sum = async (read: (pid: number) => Promise<number>): Promise<number> => {
    const values = await Promise.all(Object.values(processes).map(read))
    return values.reduce((total, value) => total + value, 0)
  }
  return {
    address: { url, ca, token },
    cpuMs: () => sum(cpuMsOf),
    residentMb: () => sum(residentMbOf),
    [Symbol.asyncDispose]: () => plane.stop(),
  }
}

/** Linux counts in hundredths of a second. */
async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // behind the name, which may hold anything: state is the first field, user and system time the 12th and 13th
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function residentMbOf(pid: number): Promise<number> {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

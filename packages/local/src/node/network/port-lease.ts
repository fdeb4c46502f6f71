import { createServer, type Server } from 'node:net'

/** A TCP port that belongs to one job. */
export interface PortLease {
  readonly port: number
  release(): void
}

/**
 * Takes a port for a job: `undefined` when another job or another program of this machine has it. Nothing listens on
 * the port afterwards, the job's own server will.
 *
 * Between engines the port is kept by an abstract socket of that name (Linux): it needs no file, is as wide as the
 * network namespace, and goes with the process, however that ends.
 */
export async function leasePort(port: number, platform: NodeJS.Platform): Promise<PortLease | undefined> {
  let lock: Server | undefined
  if (platform === 'linux') {
    lock = await listen({ path: `\0trainjob-port-${port}` })
    if (lock === undefined) return undefined
    lock.unref()
  }
  const release = (): void => {
    lock?.close()
  }
  // A dual-stack listener meets everybody who listens on the port, on whatever address.
  const probe = await listen({ port, host: '::', exclusive: true })
  if (probe === undefined) {
    release()
    return undefined
  }
  await new Promise((resolve) => probe.close(resolve))
  return { port, release }
}

/** Ports that neither programs nor the system's own choice (32768 and up on Linux) usually take. */
const FIRST = 20_000
const COUNT = 12_000

/** Takes some free port. @param random in [0, 1) */
export async function leaseFreePort(random: () => number, platform: NodeJS.Platform): Promise<PortLease | undefined> {
  const start = Math.floor(random() * COUNT)
  for (let step = 0; step < COUNT; step++) {
    const lease = await leasePort(FIRST + ((start + step) % COUNT), platform)
    if (lease !== undefined) return lease
  }
  return undefined
}

/** `undefined` when the address is in use. */
function listen(
  at: { path: string } | { port: number; host: string; exclusive: boolean },
): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('listening', () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else if ('port' in at && at.host === '::' && (error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL')) {
        // a machine without IPv6
        resolve(listen({ ...at, host: '0.0.0.0' }))
      } else if (error.code === 'EACCES') {
        // A privileged port: whether it is free only its user can find out. Listening nowhere closes as well.
        resolve(server)
      } else reject(error)
    })
    server.listen(at)
  })
}

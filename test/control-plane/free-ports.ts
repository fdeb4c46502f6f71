import { createServer, type Server } from 'node:net'

/** Ports of 127.0.0.1 that nobody listens on, all different. */
export async function freePorts<const Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
  const servers: Server[] = []
  try {
    const ports: [string, number][] = []
    for (const name of names) {
      const server = createServer()
      servers.push(server)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
      ports.push([name, (server.address() as { port: number }).port])
    }
    return Object.fromEntries(ports) as Record<Name, number>
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}
